import { expect, it } from "vitest"
import { field, picked } from "#test/support/exactly.ts"
import type { Received } from "#test/support/service.ts"
import { useAutoMerge, waits } from "./useAutoMerge.ts"

const { commit, get, heldFor, merge, newProject, open, pathOf, person, put, service, shownWhen } = useAutoMerge()
const { request } = service

const root = 1
const [reporter, developer, maintainer] = [20, 30, 40]
const ok = async (answer: Promise<Received>): Promise<Received> => {
  const received = await answer
  expect(received.status, JSON.stringify(received.body)).toBeLessThan(300)
  return received
}
const post = (path: string, json: object = {}) => ok(request("POST", path, { json }))
const change = (path: string, json: object) => ok(request("PUT", path, { json }))
const drop = (path: string) => ok(request("DELETE", path))
const idOf = ({ body }: Received) => Number(field(body, "id"))
const newGroup = async (path: string, parent_id?: number) => idOf(await post("/groups", { name: path, path, parent_id }))
const join = (place: string, user_id: number, access_level = maintainer) => post(`${place}/members`, { user_id, access_level })
const configure = (id: number, json: object) => change(`/projects/${id}`, json)

interface World {
  readonly id: number
  /** Whoever sets it. */
  readonly setter: number
  readonly name: string
}

/** What of a world makes the setter lose the right to merge, and have it again. */
interface Losing {
  readonly lose: () => Promise<unknown>
  readonly regain: () => Promise<unknown>
}

interface Row {
  /** The group of the project; none for one of its own. */
  readonly group?: number
  readonly prepare: (world: World) => Promise<Losing>
}

/** Who is a member of the project can merge until something else happens. */
const asMember =
  (lose: (world: World) => Promise<unknown>, regain: (world: World) => Promise<unknown>) =>
  async (world: World): Promise<Losing> => {
    await join(`/projects/${world.id}`, world.setter)
    return { lose: () => lose(world), regain: () => regain(world) }
  }

const member = ({ id, setter }: World) => `/projects/${id}/members/${setter}`
const user = ({ setter }: World) => `/users/${setter}`
const mainOf = ({ id }: World) => `/projects/${id}/protected_branches/main`
const inGroups = async (name: string) => {
  const above = await newGroup(`${name}-above`)
  return { above, below: await newGroup("below", above) }
}

const rows: Readonly<Record<string, (world: Omit<World, "id">) => Promise<Row>>> = {
  "is a member again": async () => ({
    prepare: asMember(
      (world) => drop(member(world)),
      ({ id, setter }) => join(`/projects/${id}`, setter)
    )
  }),
  "has the role again": async () => ({
    prepare: asMember(
      (world) => change(member(world), { access_level: reporter }),
      (world) => change(member(world), { access_level: maintainer })
    )
  }),
  "is a member of a group above again": async ({ name, setter }) => {
    const { above, below } = await inGroups(name)
    await join(`/groups/${above}`, setter)
    return {
      group: below,
      prepare: async () => ({
        lose: () => drop(`/groups/${above}/members/${setter}`),
        regain: () => join(`/groups/${above}`, setter)
      })
    }
  },
  "is a member of a group again that the project is shared with": async ({ name, setter }) => {
    const guests = await newGroup(`${name}-guests`)
    await join(`/groups/${guests}`, setter)
    return {
      prepare: async ({ id }) => {
        await post(`/projects/${id}/share`, { group_id: guests, group_access: maintainer })
        return {
          lose: () => change(`/groups/${guests}/members/${setter}`, { access_level: reporter }),
          regain: () => change(`/groups/${guests}/members/${setter}`, { access_level: maintainer })
        }
      }
    }
  },
  "is a member of a group that the project is shared with again": async ({ name, setter }) => {
    const guests = await newGroup(`${name}-guests`)
    await join(`/groups/${guests}`, setter)
    return {
      prepare: async ({ id }) => {
        const share = () => post(`/projects/${id}/share`, { group_id: guests, group_access: maintainer })
        await share()
        return { lose: () => drop(`/projects/${id}/share/${guests}`), regain: share }
      }
    }
  },
  "is a member of a group that a group above is shared with again": async ({ name, setter }) => {
    const [guests, { above, below }] = [await newGroup(`${name}-guests`), await inGroups(name)]
    await join(`/groups/${guests}`, setter)
    const share = () => post(`/groups/${above}/share`, { group_id: guests, group_access: maintainer })
    await share()
    return {
      group: below,
      prepare: async () => ({ lose: () => drop(`/groups/${above}/share/${guests}`), regain: share })
    }
  },
  "has the group of the project below theirs again": async ({ name, setter }) => {
    const { above, below } = await inGroups(name)
    await join(`/groups/${above}`, setter)
    return {
      group: below,
      prepare: async () => ({
        lose: () => post(`/groups/${below}/transfer`),
        regain: () => post(`/groups/${below}/transfer`, { group_id: above })
      })
    }
  },
  "has the project in their group again": async ({ name, setter }) => {
    const [theirs, other] = [await newGroup(`${name}-theirs`), await newGroup(`${name}-other`)]
    await join(`/groups/${theirs}`, setter)
    return {
      group: theirs,
      prepare: async ({ id }) => ({
        lose: () => change(`/projects/${id}/transfer`, { namespace: other }),
        regain: () => change(`/projects/${id}/transfer`, { namespace: theirs })
      })
    }
  },
  "is not blocked any more": async () => ({
    prepare: asMember(
      (world) => post(`${user(world)}/block`),
      (world) => post(`${user(world)}/unblock`)
    )
  }),
  "is not banned any more": async () => ({
    prepare: asMember(
      (world) => post(`${user(world)}/ban`),
      (world) => post(`${user(world)}/unban`)
    )
  }),
  "is an administrator again": async () => ({
    prepare: async (world) => {
      await change(user(world), { admin: true })
      return { lose: () => change(user(world), { admin: false }), regain: () => change(user(world), { admin: true }) }
    }
  }),
  "may merge into the protected branch again": async () => ({
    prepare: async (world) => {
      await join(`/projects/${world.id}`, world.setter, developer)
      const protect = (merge_access_level: number) =>
        post(`/projects/${world.id}/protected_branches`, { name: "main", merge_access_level })
      await drop(mainOf(world))
      await protect(developer)
      return {
        lose: async () => {
          await drop(mainOf(world))
          await protect(maintainer)
        },
        regain: () => drop(mainOf(world))
      }
    }
  }),
  "finds the project not archived any more": async () => ({
    prepare: asMember(
      ({ id }) => post(`/projects/${id}/archive`),
      ({ id }) => post(`/projects/${id}/unarchive`)
    )
  }),
  "finds merge requests switched on again": async () => ({
    prepare: asMember(
      ({ id }) => configure(id, { merge_requests_access_level: "disabled" }),
      ({ id }) => configure(id, { merge_requests_access_level: "enabled" })
    )
  })
}

const wanting = { only_allow_merge_if_pipeline_succeeds: true }
let worlds = 0
/** Something that its setter may merge, and that waits for a pipeline. */
const waiting = async (makeRow: (world: Omit<World, "id">) => Promise<Row>) => {
  const name = `rights-${++worlds}`
  const { id: setter, token } = await person(name)
  const { group, prepare } = await makeRow({ name, setter })
  const id = await newProject(name, { ...wanting, ...(group !== undefined && { namespace_id: group }) })
  const losing = await prepare({ id, setter, name })
  await open(id)
  const set = await merge(id, {}, token)
  expect(waits(set), JSON.stringify(set)).toBe(true)
  await heldFor(id, "ci_must_pass")
  return { ...losing, id, name, setter, token }
}

it.each(Object.entries(rows))("waits while whoever set it may not merge, and merges when they can: who %s", async (_, row) => {
  const { id, lose, name, regain } = await waiting(row)
  await lose()
  await configure(id, { only_allow_merge_if_pipeline_succeeds: false })
  await heldFor(id, "not_allowed")
  await regain()
  const merged = await shownWhen(id, (body) => field(body, "state") === "merged")
  expect([field(field(merged, "merged_by"), "username"), field(merged, "merge_error")]).toEqual([name, null])
})

it("says that whoever set it may not merge", async () => {
  const { id, lose } = await waiting(async (world) => rows["is a member again"]?.(world) ?? expect.unreachable())
  await lose()
  await configure(id, { only_allow_merge_if_pipeline_succeeds: false })
  await heldFor(id, "not_allowed")
  const shown = await shownWhen(id, (body) => field(body, "merge_error") !== null)
  expect(picked(shown, "state", "merge_when_pipeline_succeeds", "merge_error")).toEqual({
    state: "opened",
    merge_when_pipeline_succeeds: true,
    merge_error: "You are not allowed to merge this merge request"
  })
})

it("ends when whoever set it is deleted, but not what others set", async () => {
  const { id, setter, token } = await waiting(async (world) => rows["is a member again"]?.(world) ?? expect.unreachable())
  await commit(id, "other", { "other.txt": "other\n" })
  await open(id, { source_branch: "other" })
  expect(waits(await merge(id, {}, undefined, 2))).toBe(true)
  expect((await request("GET", "/user", { token })).status).toBe(200)
  await drop(`/users/${setter}`)
  await shownWhen(id, (body) => field(body, "merge_when_pipeline_succeeds") === false)
  const { body } = await request("GET", pathOf(id, 1, "/notes"))
  expect(field([body].flat()[0], "body")).toBe("aborted the automatic merge because the user who enabled it was deleted")
  const other = (await get(id, 2)).body
  expect([field(other, "merge_when_pipeline_succeeds"), field(field(other, "merge_user"), "id")]).toEqual([true, root])
  await put(id, 1, { title: "Draft: Add" })
  expect(field((await get(id, 1)).body, "merge_error")).toBeNull()
})
