import { Effect } from "effect"
import { expect, it } from "vitest"
import { clusterAggregate } from "#src/clusters/handle.ts"
import { clusterStream } from "#src/clusters/ids.ts"
import { routes } from "#src/composition.ts"
import { load } from "#src/platform/Commands.ts"
import { Secrets } from "#src/platform/Secrets.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import {
  bareEd25519,
  ed25519,
  nistp256,
  nistp384,
  nistp521,
  otherEd25519,
  rsa,
  securityEd25519,
  securityNistp256
} from "#test/keys/keySamples.ts"
import { createUser, issueTokenFor } from "#test/support/accounts.ts"
import { field } from "#test/support/exactly.ts"
import { requestEvents } from "#test/support/requestEvents.ts"
import { type Received, type Sent, useService } from "#test/support/service.ts"
import { revoked } from "#test/tokens/bodies.ts"

const service = useService()
let users = 0
const newUser = () => createUser(service, `user-${users++}`)
const idOf = ({ body }: Received): number => Number(field(body, "id"))

/** Leaves of a request what a process leaves that died after its last append: events and a claim without an answer. */
const crash = (key: string) =>
  service.run(
    Sql.use(({ client }) =>
      query(
        () => client`update chronoforge.idempotent_answers set status = null, headers = null, body = null, secret_of = null,
          started_at = now() - interval '3 minutes' where key = ${key}`
      )
    ).pipe(Effect.asVoid)
  )

const cluster = (scope: string): Sent => ({
  json: {
    name: "staging",
    environment_scope: scope,
    platform_kubernetes_attributes: { api_url: "https://k8s.example.com", token: "first" }
  }
})
const newCluster = async (scope: string): Promise<number> => {
  const added = await service.request("POST", "/admin/clusters/add", cluster(scope))
  return idOf(added)
}
const keptToken = (id: number) =>
  service.run(
    Effect.gen(function* () {
      const { state } = yield* load(clusterAggregate, id)
      return state._tag === "Connected"
        ? yield* Secrets.use(({ open }) => open(clusterStream(id), state.cluster.token))
        : undefined
    })
  )
const dataKeys = (id: number) =>
  service.run(
    Sql.use(({ client }) =>
      query(() => client<Array<object>>`select from chronoforge.data_keys where stream = ${clusterStream(id)}`)
    ).pipe(Effect.map((rows) => rows.length))
  )
const newGroup = async (path: string): Promise<number> =>
  idOf(await service.request("POST", "/groups", { json: { name: path, path } }))
/** A group with a subgroup, and a member who is not its owner. */
const newMember = async (path: string) => {
  const [group, user] = [await newGroup(path), await newUser()]
  const below = idOf(await service.request("POST", "/groups", { json: { name: "below", path: "below", parent_id: group } }))
  for (const id of [group, below]) {
    await service.request("POST", `/groups/${id}/members`, { json: { user_id: user, access_level: 30 } })
  }
  return `/groups/${group}/members/${user}`
}
const account: Sent = {
  json: { username: "made", name: "made", email: "made@example.com", password: "a good passphrase", note: "n" }
}
const token: Sent = { json: { name: "ci", scopes: ["api"] } }

interface Row {
  readonly path: string
  readonly sent?: Sent
  /** Default: what the first run answered. */
  readonly repeated?: (first: Received) => readonly [status: number, body: unknown]
  /** Whether what the first run made still works after the repeat. */
  readonly works?: (first: Received) => Promise<unknown>
}

const secretIsGone = ({ body }: Received) =>
  [
    409,
    {
      message: `This request was carried out already, and its secret is shown only once: personal access token ${field(body, "id")}`
    }
  ] as const
const tokenWorks = async ({ body }: Received) =>
  (await service.request("GET", "/user", { token: String(field(body, "token")) })).status === 200

const isShown = (path: string) => async (first: Received) =>
  (await service.request("GET", `${path}/${idOf(first)}`)).status === 200

const ofUser =
  (action: string, before: ReadonlyArray<string> = []) =>
  async () => {
    const id = await newUser()
    for (const earlier of before) await service.request("POST", `/users/${id}/${earlier}`)
    return { path: `/users/${id}/${action}` }
  }

const ownToken = async (action: string) => {
  const { text } = await issueTokenFor(service, await newUser())
  return { path: `/personal_access_tokens/self${action}`, sent: { token: text }, repeated: () => [401, revoked] as const }
}

const newKey = async (path: string, { text }: { readonly text: string }) =>
  idOf(await service.request("POST", path, { json: { title: "laptop", key: text } }))

const newProject = async (path: string, more: object = {}) =>
  idOf(await service.request("POST", "/projects", { json: { name: path, path, ...more } }))
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
const projectKey = async (name: string, { text }: { readonly text: string }) => {
  const path = `/projects/${await newProject(name)}/deploy_keys`
  return `${path}/${await newKey(path, { text })}`
}

/** A project with one commit on `main`; answers the path of its repository, and the id of the commit. */
const repository = async (name: string) => {
  const path = `/projects/${await newProject(name)}/repository`
  const json = { ...commitTo("main", { action: "create", file_path: "a", content: "a\n" }), commit_message: "First" }
  return { path, first: String(field((await service.request("POST", `${path}/commits`, { json })).body, "id")) }
}
const commitTo = (branch: string, ...actions: ReadonlyArray<object>) => ({ branch, commit_message: "Change", actions })
const branchOf = async (name: string) => {
  const { path } = await repository(name)
  await service.request("POST", `${path}/branches`, { json: { branch: "topic", ref: "main" } })
  return `${path}/branches/topic`
}
/** How many commits the branch has. */
const hasCommits = (path: string, count: number) => async () => {
  const { body } = await service.request("GET", `${path}/commits/main/sequence`)
  return field(body, "count") === count
}
const fileWrite = async (name: string, file: string, more: object) => {
  const { path } = await repository(name)
  const sent = { json: { branch: "main", commit_message: "m", ...more } }
  return { path: `${path}/files/${file}`, sent, works: hasCommits(path, 2) }
}
const changeOf = async (name: string, what: string) => {
  const { path } = await repository(name)
  await service.request("POST", `${path}/branches`, { json: { branch: "topic", ref: "main" } })
  const json = commitTo("topic", { action: "create", file_path: "b", content: "b\n" })
  const { body } = await service.request("POST", `${path}/commits`, { json })
  if (what === "revert") await service.request("POST", `${path}/commits/topic/cherry_pick`, { json: { branch: "main" } })
  const sent = { json: { branch: "main" } }
  return { path: `${path}/commits/${field(body, "id")}/${what}`, sent, works: hasCommits(path, what === "revert" ? 3 : 2) }
}

/** Every endpoint that writes. */
const rows: Readonly<Record<string, () => Promise<Row>>> = {
  "users.create": async () => ({ path: "/users", sent: account, works: isShown("/users") }),
  "users.update": async () => ({
    path: `/users/${await newUser()}`,
    sent: { json: { username: "renamed", email: "renamed@example.com", password: "another passphrase", note: "changed" } }
  }),
  "users.delete": async () => ({ path: `/users/${await newUser()}` }),
  "users.block": ofUser("block"),
  "users.unblock": ofUser("unblock", ["block"]),
  "users.deactivate": ofUser("deactivate"),
  "users.activate": ofUser("activate", ["deactivate"]),
  "users.ban": ofUser("ban"),
  "users.unban": ofUser("unban", ["ban"]),
  "personalAccessTokens.create": async () => ({
    path: `/users/${await newUser()}/personal_access_tokens`,
    sent: token,
    repeated: secretIsGone,
    works: tokenWorks
  }),
  "personalAccessTokens.rotate": async () => ({
    path: `/personal_access_tokens/${(await issueTokenFor(service, await newUser())).id}/rotate`,
    repeated: secretIsGone,
    works: tokenWorks
  }),
  "personalAccessTokens.revoke": async () => ({
    path: `/personal_access_tokens/${(await issueTokenFor(service, await newUser())).id}`
  }),
  // The first run ended the token, so the repeat is refused like any other request with it.
  "personalAccessTokens.revokeSelf": () => ownToken(""),
  "personalAccessTokens.rotateSelf": () => ownToken("/rotate"),
  "keys.addOwn": async () => ({
    path: "/user/keys",
    sent: { json: { title: "own", key: ed25519.text } },
    works: isShown("/user/keys")
  }),
  "keys.deleteOwn": async () => ({ path: `/user/keys/${await newKey("/user/keys", otherEd25519)}` }),
  "keys.addForUser": async () => {
    const path = `/users/${await newUser()}/keys`
    return { path, sent: { json: { title: "theirs", key: nistp256.text } }, works: isShown(path) }
  },
  "keys.deleteOfUser": async () => {
    const path = `/users/${await newUser()}/keys`
    return { path: `${path}/${await newKey(path, rsa)}` }
  },
  "keys.createDeployKey": async () => ({
    path: "/deploy_keys",
    sent: { json: { title: "deploy", key: bareEd25519.text } },
    works: isShown("/keys")
  }),
  "projects.create": async () => ({ path: "/projects", sent: { json: { name: "made" } }, works: isShown("/projects") }),
  "projects.createForUser": async () => ({
    path: `/projects/user/${await newUser()}`,
    sent: { json: { name: "given" } },
    works: isShown("/projects")
  }),
  "projects.change": async () => {
    await newProject("changed")
    return {
      path: "/projects/root%2Fchanged",
      sent: { json: { path: "changed-since", name: "Changed", description: "d", visibility: "internal" } }
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
    await service.request("POST", "/groups", { json: { name: "below", path: "below", parent_id: id } })
    return { path: "/groups/group-from%2Fbelow/transfer", sent: { json: { group_id: await newGroup("group-to") } } }
  },
  "groups.bringProject": async () => {
    await newProject("brought")
    return { path: `/groups/${await newGroup("brought-to")}/projects/root%2Fbrought` }
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
    return { path: "/projects/root%2Ftransferred/transfer", sent: { json: { namespace: await newGroup("transferred-to") } } }
  },
  "projects.delete": async () => {
    await newProject("deleted")
    return { path: "/projects/root%2Fdeleted" }
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
    sent: { json: { path: "copy", name: "copy" } },
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
    sent: { json: { title: "ci", key: nistp384.text, can_push: true } },
    works: isShown("/keys")
  }),
  "keys.changeOfProject": async () => ({
    path: await projectKey("relocking", nistp521),
    sent: { json: { title: "other", can_push: true } }
  }),
  "keys.enableForProject": async () => {
    const key = (await projectKey("locked", securityEd25519)).split("/").at(-1)
    return { path: `/projects/${await newProject("enabling")}/deploy_keys/${key}/enable` }
  },
  "keys.removeFromProject": async () => ({ path: await projectKey("unlocking", securityNistp256) }),
  "repositories.createBranch": async () => {
    const { path } = await repository("branching")
    return { path: `${path}/branches`, sent: { json: { branch: "new", ref: "main" } } }
  },
  "repositories.deleteBranch": async () => ({ path: await branchOf("pruning") }),
  "repositories.deleteMergedBranches": async () => ({ path: `${(await repository("sweeping")).path}/merged_branches` }),
  "repositories.protectBranch": async () => ({
    path: `${await branchOf("shielding")}/protect`,
    sent: { json: { developers_can_push: true } }
  }),
  "repositories.unprotectBranch": async () => {
    const path = await branchOf("unshielding")
    await service.request("PUT", `${path}/protect`)
    return { path: `${path}/unprotect` }
  },
  "repositories.createTag": async () => {
    const { path } = await repository("naming")
    return { path: `${path}/tags`, sent: { json: { tag_name: "v1", ref: "main", message: "One" } } }
  },
  "repositories.deleteTag": async () => {
    const { path } = await repository("unnaming")
    await service.request("POST", `${path}/tags`, { json: { tag_name: "v1", ref: "main" } })
    return { path: `${path}/tags/v1` }
  },
  "repositories.commentCommit": async () => {
    const { path } = await repository("commenting")
    return { path: `${path}/commits/main/comments`, sent: { json: { note: "Nice" } } }
  },
  "repositories.createCommit": async () => {
    const { path } = await repository("committing")
    const json = commitTo("main", { action: "create", file_path: "b", content: "b\n" })
    return { path: `${path}/commits`, sent: { json }, works: hasCommits(path, 2) }
  },
  "repositories.cherryPick": () => changeOf("picking", "cherry_pick"),
  "repositories.revert": () => changeOf("reverting", "revert"),
  "repositories.commitChangelog": async () => {
    const { first, path } = await repository("logging")
    return { path: `${path}/changelog`, sent: { json: { version: "1.0.0", from: first } }, works: hasCommits(path, 2) }
  },
  "repositories.createFile": () => fileWrite("filing", "b", { content: "b\n" }),
  "repositories.updateFile": () => fileWrite("refiling", "a", { content: "b\n" }),
  "repositories.deleteFile": () => fileWrite("unfiling", "a", {}),
  "clusters.add": async () => ({
    path: "/admin/clusters/add",
    sent: cluster("added"),
    works: async (first) => (await keptToken(idOf(first))) === "first"
  }),
  "clusters.change": async () => ({
    path: `/admin/clusters/${await newCluster("before")}`,
    sent: { json: { environment_scope: "after", platform_kubernetes_attributes: { token: "second" } } },
    works: async (first) => (await keptToken(idOf(first))) === "second"
  }),
  "clusters.delete": async () => {
    const id = await newCluster("deleted")
    return { path: `/admin/clusters/${id}`, works: async () => (await dataKeys(id)) === 0 }
  },
  "groups.create": async () => ({
    path: "/groups",
    sent: { json: { name: "made", path: "made", parent_id: await newGroup("parent") } },
    works: isShown("/groups")
  }),
  // The path by which the first run found the group leads elsewhere, or nowhere, after it.
  "groups.update": async () => {
    await newGroup("before")
    return { path: "/groups/before", sent: { json: { path: "after", name: "After", visibility: "public" } } }
  },
  "groups.delete": async () => {
    const parent_id = await newGroup("doomed")
    await service.request("POST", "/groups", { json: { name: "below", path: "below", parent_id } })
    return { path: "/groups/doomed" }
  },
  "groups.addMember": async () => ({
    path: `/groups/${await newGroup("adding")}/members`,
    sent: { json: { user_id: `${await newUser()},${await newUser()}`, access_level: 30 } }
  }),
  "groups.changeMember": async () => ({ path: await newMember("changing"), sent: { json: { access_level: 40 } } }),
  "groups.removeMember": async () => ({ path: await newMember("removing") })
}

const writes = routes.map(({ endpoint }) => endpoint).filter(({ method }) => method !== "GET")
/** Presenting a rotated token writes: it revokes what took its place. */
const writesOnReuse = "personalAccessTokens.rotateSelf"

it("every write endpoint has a row", () => {
  expect(Object.keys(rows).toSorted()).toEqual(writes.map(({ name }) => name).toSorted())
})

it.each(writes.map(({ method, name }) => [name, method] as const))("%s", async (name, method) => {
  const { path, sent = {}, repeated, works } = (await rows[name]?.()) ?? { path: "/no-row" }
  const send = () => service.request(method, path, { ...sent, headers: { "idempotency-key": name } })
  const first = await send()
  expect([first.status, first.body]).toEqual([expect.toSatisfy((status: number) => status < 300), first.body])
  await crash(name)
  const before = await requestEvents(service)
  const second = await send()
  expect([second.status, second.body]).toEqual(repeated === undefined ? [first.status, first.body] : repeated(first))
  if (name !== writesOnReuse) expect(await requestEvents(service)).toBe(before)
  expect(await works?.(first)).toBe(works === undefined ? undefined : true)
})
