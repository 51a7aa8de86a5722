import type { TestService } from "#test/support/service.ts"
import { makers, newKeyText, type Writes } from "./Write.ts"

/** Of groups, and of projects but for their repositories. */
export const namespaceWrites = (service: TestService, run: number): Writes => {
  const { isShown, named, newGroup, newKey, newProject, newUser } = makers(service, run)
  /** A group with a subgroup, and a member who is not its owner. */
  const newMember = async (path: string) => {
    const [group, user] = [await newGroup(path), await newUser()]
    const below = await newGroup("below", { parent_id: group })
    for (const id of [group, below]) {
      await service.request("POST", `/groups/${id}/members`, { json: { user_id: user, access_level: 30 } })
    }
    return `/groups/${group}/members/${user}`
  }
  const standingOf = (action: string) => async () => ({ path: `/projects/${await newProject(action)}/${action}` })
  const projectMember = async (name: string) => {
    const [project, user_id] = [await newProject(name), await newUser()]
    await service.request("POST", `/projects/${project}/members`, { json: { user_id, access_level: 30 } })
    return `/projects/${project}/members/${user_id}`
  }
  const protectedRef = async (kind: string, name: string) => {
    const path = `/projects/${await newProject(name)}/protected_${kind}`
    await service.request("POST", path, { json: { name: "main" } })
    return `${path}/main`
  }
  const projectKey = async (name: string) => {
    const path = `/projects/${await newProject(name)}/deploy_keys`
    return `${path}/${await newKey(path)}`
  }

  return {
    "projects.create": async () => ({ path: "/projects", sent: { json: { name: named("made") } }, works: isShown("/projects") }),
    "projects.createForUser": async () => ({
      path: `/projects/user/${await newUser()}`,
      sent: { json: { name: named("given") } },
      works: isShown("/projects")
    }),
    "projects.change": async () => {
      await newProject("changed")
      return {
        path: `/projects/root%2F${named("changed")}`,
        sent: { json: { path: named("changed-since"), name: named("Changed"), description: "d", visibility: "internal" } }
      }
    },
    "groups.share": async () => ({
      path: `/groups/${await newGroup("sharing")}/share`,
      sent: { json: { group_id: await newGroup("invited"), group_access: 30 } }
    }),
    "groups.unshare": async () => {
      const [path, invited] = [`/groups/${await newGroup("unsharing")}/share`, await newGroup("uninvited")]
      await service.request("POST", path, { json: { group_id: invited, group_access: 30 } })
      return { path: `${path}/${invited}` }
    },
    "groups.transfer": async () => {
      const id = await newGroup("group-from")
      await newGroup("below", { parent_id: id })
      return {
        path: `/groups/${named("group-from")}%2F${named("below")}/transfer`,
        sent: { json: { group_id: await newGroup("group-to") } }
      }
    },
    "groups.bringProject": async () => {
      await newProject("brought")
      return { path: `/groups/${await newGroup("brought-to")}/projects/root%2F${named("brought")}` }
    },
    "projects.share": async () => ({
      path: `/projects/${await newProject("shared")}/share`,
      sent: { json: { group_id: await newGroup("guests"), group_access: 30 } }
    }),
    "projects.unshare": async () => {
      const [path, invited] = [`/projects/${await newProject("unshared")}/share`, await newGroup("no-guests")]
      await service.request("POST", path, { json: { group_id: invited, group_access: 30 } })
      return { path: `${path}/${invited}` }
    },
    "projects.transfer": async () => {
      await newProject("transferred")
      return {
        path: `/projects/root%2F${named("transferred")}/transfer`,
        sent: { json: { namespace: await newGroup("transferred-to") } }
      }
    },
    "projects.delete": async () => {
      await newProject("deleted")
      return { path: `/projects/root%2F${named("deleted")}` }
    },
    "projects.archive": standingOf("archive"),
    "projects.unarchive": standingOf("unarchive"),
    "projects.star": standingOf("star"),
    "projects.unstar": async () => {
      const { path } = await standingOf("unstar")()
      await service.request("POST", path.replace("unstar", "star"))
      return { path }
    },
    "projects.fork": async () => ({
      path: `/projects/${await newProject("source")}/fork`,
      sent: { json: { path: named("copy"), name: named("copy") } },
      works: isShown("/projects")
    }),
    "projects.addMember": async () => ({
      path: `/projects/${await newProject("adding")}/members`,
      sent: { json: { user_id: await newUser(), access_level: 30 } }
    }),
    "projects.changeMember": async () => ({ path: await projectMember("changing"), sent: { json: { access_level: 40 } } }),
    "projects.removeMember": async () => ({ path: await projectMember("removing") }),
    "projects.protectBranch": async () => ({
      path: `/projects/${await newProject("guarding")}/protected_branches`,
      sent: { json: { name: "main" } }
    }),
    "projects.changeProtectedBranch": async () => ({
      path: await protectedRef("branches", "regarding"),
      sent: { json: { allow_force_push: true, allowed_to_push: [{ access_level: 30 }] } }
    }),
    "projects.unprotectBranch": async () => ({ path: await protectedRef("branches", "unguarding") }),
    "projects.protectTag": async () => ({
      path: `/projects/${await newProject("tagging")}/protected_tags`,
      sent: { json: { name: "v*" } }
    }),
    "projects.unprotectTag": async () => ({ path: await protectedRef("tags", "untagging") }),
    "keys.addToProject": async () => ({
      path: `/projects/${await newProject("locking")}/deploy_keys`,
      sent: { json: { title: "ci", key: newKeyText(), can_push: true } },
      works: isShown("/keys")
    }),
    "keys.changeOfProject": async () => ({
      path: await projectKey("relocking"),
      sent: { json: { title: "other", can_push: true } }
    }),
    "keys.enableForProject": async () => {
      const key = (await projectKey("locked")).split("/").at(-1)
      return { path: `/projects/${await newProject("enabling")}/deploy_keys/${key}/enable` }
    },
    "keys.removeFromProject": async () => ({ path: await projectKey("unlocking") }),
    "groups.create": async () => ({
      path: "/groups",
      sent: { json: { name: named("made"), path: named("made"), parent_id: await newGroup("parent") } },
      works: isShown("/groups")
    }),
    // The path by which the first run found the group leads elsewhere, or nowhere, after it.
    "groups.update": async () => {
      await newGroup("before")
      return { path: `/groups/${named("before")}`, sent: { json: { path: named("after"), name: "After", visibility: "public" } } }
    },
    "groups.delete": async () => {
      const parent_id = await newGroup("doomed")
      await newGroup("below", { parent_id })
      return { path: `/groups/${named("doomed")}` }
    },
    "groups.addMember": async () => ({
      path: `/groups/${await newGroup("adding")}/members`,
      sent: { json: { user_id: `${await newUser()},${await newUser()}`, access_level: 30 } }
    }),
    "groups.changeMember": async () => ({ path: await newMember("changing"), sent: { json: { access_level: 40 } } }),
    "groups.removeMember": async () => ({ path: await newMember("removing") })
  }
}
