import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { field, picked } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { useService } from "#test/support/service.ts"

const service = useService()
const { request } = service

/** An award as somebody would note it who knows nothing but the answers. */
interface Noted {
  readonly id: number
  readonly by: number
  readonly name: string
}

const people = ["first", "second", "third"]
let tokens: ReadonlyArray<string> = []
let projectId = 0

beforeAll(async () => {
  const { body } = await request("POST", "/projects", { json: { name: "awarded", visibility: "public" } })
  projectId = Number(field(body, "id"))
  tokens = await Promise.all(people.map(async (name) => (await issueTokenFor(service, await createUser(service, name))).text))
})

const names = ["thumbsup", "thumbsdown", "tada"]

const order = fc.record({
  kind: fc.constantFrom("award", "award", "takeBack"),
  by: fc.nat(people.length - 1),
  name: fc.constantFrom(...names),
  /** The place of the award among all that were ever given. */
  given: fc.nat(8)
})
type Order = typeof order extends fc.Arbitrary<infer O> ? O : never

interface Notes {
  readonly there: ReadonlyArray<Noted>
  readonly ever: ReadonlyArray<Noted>
}

/** Obeys in the service and in the notes, and compares what both say of it. */
const step = async (path: string, { ever, there }: Notes, { by, given, kind, name }: Order): Promise<Notes> => {
  const token = tokens[by] ?? expect.unreachable()
  if (kind === "award") {
    const isTaken = there.some((each) => each.by === by && each.name === name)
    const { body, status } = await request("POST", path, { json: { name }, token })
    expect([kind, status]).toEqual([kind, isTaken ? 404 : 201])
    const award = { id: Number(field(body, "id")), by, name }
    return isTaken ? { ever, there } : { ever: [...ever, award], there: [...there, award] }
  }
  const award = ever[given]
  const isThere = award !== undefined && there.includes(award)
  const { status } = await request("DELETE", `${path}/${award?.id ?? 999_999}`, { token })
  expect([kind, status]).toEqual([kind, isThere ? (award.by === by ? 204 : 401) : 404])
  return { ever, there: isThere && award.by === by ? there.filter((each) => each !== award) : there }
}

/** What is shown: awards by their ids, each alone, and how many there are for and against. */
const compare = async (issue: string, { ever, there }: Notes) => {
  const path = `${issue}/award_emoji`
  const { body } = await request("GET", path)
  const shown = [body].flat().map((each) => [field(each, "id"), field(field(each, "user"), "username"), field(each, "name")])
  expect(shown).toEqual(there.map(({ by, id, name }) => [id, people[by], name]))
  for (const award of ever) expect((await request("GET", `${path}/${award.id}`)).status).toBe(there.includes(award) ? 200 : 404)
  const count = (name: string) => there.filter((each) => each.name === name).length
  expect(picked((await request("GET", issue)).body, "upvotes", "downvotes")).toEqual({
    upvotes: count("thumbsup"),
    downvotes: count("thumbsdown")
  })
}

describe("emoji of an issue", () => {
  it("are what somebody who notes the answers expects", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(order, { minLength: 4, maxLength: 20 }), async (orders) => {
        const { body } = await request("POST", `/projects/${projectId}/issues`, { json: { title: "Awarded" } })
        const issue = `/projects/${projectId}/issues/${field(body, "iid")}`
        let notes: Notes = { ever: [], there: [] }
        for (const each of orders) notes = await step(`${issue}/award_emoji`, notes, each)
        await compare(issue, notes)
      }),
      { numRuns: 40 }
    )
  })
})
