import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { Caller } from "#src/http/access/Caller.ts"
import { Projects } from "#src/projects/Projects.ts"
import { entriesOf } from "#src/repositories/changelog/entries.ts"
import { MergedRequests } from "#src/repositories/MergedRequests.ts"
import { Users } from "#src/users/Users.ts"
import { useService } from "#test/support/service.ts"
import { startMinute } from "../commits/startMinute.ts"
import { changelogProject, newUser } from "./useChangelog.ts"

const service = useService({ CHANGELOG_RATE_LIMIT: "2" })

describe("changelogs", () => {
  it("are limited by user and project where the setting says so, reads and commits together", async () => {
    startMinute()
    const [project, other] = [await changelogProject(service, { path: "a" }), await changelogProject(service, { path: "b" })]
    const ann = await newUser(service, "ann")
    const asked = { version: "1.0.0" }
    const statuses = [await project.get(asked), await project.post(asked), await other.get(asked)].map(({ status }) => status)
    expect(statuses).toEqual([422, 422, 422])
    const refused = [await project.get(asked), await project.post(asked)]
    for (const { body, headers, status } of refused) {
      expect([status, body, headers.get("retry-after")]).toEqual([
        429,
        { message: { error: "This changelog has been requested too many times. Try again later." } },
        "60"
      ])
    }
    expect((await project.get(asked, { token: ann.token })).status).toBe(422)
    expect((await project.get({ version: "x" })).status).toBe(400)
  })
})

describe("merge requests, once there are any", () => {
  it("are named with what they brought in, and credit authors from outside", async () => {
    const project = await changelogProject(service, { path: "merged" })
    const [bea, cleo, dan] = [await newUser(service, "bea"), await newUser(service, "cleo"), await newUser(service, "dan")]
    await service.request("POST", `/projects/${project.id}/members`, { json: { user_id: cleo.id, access_level: 10 } })
    const asked: Array<unknown> = []
    const requests = MergedRequests.of({
      introducing: (...given) => {
        asked.push(given)
        return Effect.succeed(new Map([["b".repeat(40), 7]]))
      },
      authorsAmong: (...given) => {
        asked.push(given)
        return Effect.succeed([bea.id, cleo.id])
      }
    })
    const commit = (name: string) => ({
      id: name.charAt(0).repeat(40),
      title: name,
      authorEmail: `${name}@example.com`,
      trailers: [],
      category: "added"
    })
    const entries = await service.run(
      Effect.gen(function* () {
        const found = yield* Projects.use((projects) => projects.find(String(project.id), 1))
        const user = yield* Users.use((users) => users.find(1))
        if (found === undefined || user === undefined) return []
        const caller: Caller = { user, tokenId: 1, scopes: [] }
        const input = { project: found.project, projectUrl: "https://forge.example.com/root/merged", caller, includeGroups: [] }
        return yield* entriesOf([commit("bea"), commit("cleo"), commit("dan")], input)
      }).pipe(Effect.provideService(MergedRequests, requests))
    )
    const request = { reference: "root/merged!7", webUrl: "https://forge.example.com/root/merged/-/merge_requests/7" }
    expect(entries.map(({ author, mergeRequest }) => [author, mergeRequest])).toEqual([
      [{ reference: "@bea", contributor: true, credit: true }, request],
      [{ reference: "@cleo", contributor: false, credit: false }, null],
      [{ reference: "@dan", contributor: false, credit: false }, null]
    ])
    const ids = expect.toSatisfy((given: ReadonlyArray<number>) => given.toSorted().join() === [bea.id, cleo.id, dan.id].join())
    expect(asked).toEqual([
      [ids, { projectId: project.id, branch: "main" }],
      [project.id, ["b", "c", "d"].map((letter) => letter.repeat(40))]
    ])
  })
})
