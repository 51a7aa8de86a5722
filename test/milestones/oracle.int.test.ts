import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { field, picked } from "#test/support/exactly.ts"
import { idOf, useMilestones } from "./useMilestones.ts"

const { add, get, newGroup, newProject, put, remove } = useMilestones()

/** A milestone as somebody would note it who knows nothing but the answers. */
interface Noted {
  readonly id: number
  readonly iid: number
  readonly place: string
  readonly title: string
  readonly state: "active" | "closed"
}

/** A group, a group in it, and a project in each. */
interface Place {
  readonly path: string
  /** What lies around it, the nearest first. */
  readonly above: ReadonlyArray<string>
  /** Where else its titles may not be: a group and its own projects have none in common. */
  readonly beside: ReadonlyArray<string>
}

const makePlaces = async (): Promise<ReadonlyArray<Place>> => {
  const outer = await newGroup()
  const inner = await newGroup({ parent_id: outer })
  const [around, within] = [`groups/${outer}`, `groups/${inner}`]
  const [first, second] = [
    `projects/${await newProject({ namespace_id: outer })}`,
    `projects/${await newProject({ namespace_id: inner })}`
  ]
  return [
    { path: around, above: [], beside: [first] },
    { path: within, above: [around], beside: [second] },
    { path: first, above: [around], beside: [around] },
    { path: second, above: [within, around], beside: [within] }
  ]
}

const titles = ["1.0", "1.1", "Next", "next"]

const order = fc.record({
  kind: fc.constantFrom("add", "add", "add", "retitle", "close", "activate", "remove"),
  place: fc.nat(3),
  title: fc.constantFrom(...titles),
  other: fc.constantFrom(...titles)
})
type Order = typeof order extends fc.Arbitrary<infer O> ? O : never

interface Notes {
  readonly places: ReadonlyArray<Place>
  readonly there: ReadonlyArray<Noted>
  /** How many there ever were in each place: numbers are not given again. */
  readonly made: ReadonlyMap<string, number>
}

const isTaken = (there: ReadonlyArray<Noted>, { beside, path }: Place, wanted: string): boolean =>
  there.some(({ place, title }) => title === wanted && [path, ...beside].includes(place))

/** Obeys in the service and in the notes, and compares what both say of it. */
const step = async (notes: Notes, { kind, other, place: index, title }: Order): Promise<Notes> => {
  const { made, places, there } = notes
  const place = places[index] ?? expect.unreachable()
  const { path } = place
  if (kind === "add") {
    const answer = await add(path, { title })
    const refused = isTaken(there, place, title)
    expect([kind, answer.status]).toEqual([kind, refused ? 400 : 201])
    if (refused) return notes
    const iid = (made.get(path) ?? 0) + 1
    expect(field(answer.body, "iid")).toBe(iid)
    const added: Noted = { id: idOf(answer), iid, place: path, title, state: "active" }
    return { places, there: [...there, added], made: new Map(made).set(path, iid) }
  }
  const own = there.find((each) => each.place === path && each.title === title)
  const id = own?.id ?? 999_999
  const others = there.filter((each) => each !== own)
  if (kind === "remove") {
    expect([kind, (await remove(path, id)).status]).toEqual([kind, own === undefined ? 404 : 204])
    return { ...notes, there: others }
  }
  const { status } = await put(path, id, kind === "retitle" ? { title: other } : { state_event: kind })
  const refused = kind === "retitle" && isTaken(others, place, other)
  expect([kind, status]).toEqual([kind, own === undefined ? 404 : refused ? 400 : 200])
  if (own === undefined || refused) return notes
  const changed = { close: { state: "closed" }, activate: { state: "active" }, retitle: { title: other } } as const
  return { ...notes, there: [...others, { ...own, ...changed[kind] }] }
}

/** What each place shows, the newest first: its own ones, those above, and some of them. */
const compare = async ({ places, there }: Notes) => {
  for (const { above, path } of places) {
    const newest = there.toSorted((one, another) => another.id - one.id)
    const own = newest.filter(({ place }) => place === path)
    const reached = newest.filter(({ place }) => [path, ...above].includes(place))
    const rows: ReadonlyArray<readonly [Readonly<Record<string, string>>, ReadonlyArray<Noted>]> = [
      [{}, own],
      [{ include_ancestors: "true" }, reached],
      [{ state: "active" }, own.filter(({ state }) => state === "active")],
      [{ state: "closed", include_ancestors: "true" }, reached.filter(({ state }) => state === "closed")],
      [{ title: "Next" }, own.filter(({ title }) => title === "Next")],
      [{ search: "nex" }, own.filter(({ title }) => title.toLowerCase().includes("nex"))],
      [{ "iids[]": "2" }, own.filter(({ iid }) => iid === 2)]
    ]
    for (const [query, expected] of rows) {
      const { body } = await get(path, undefined, { query })
      const shown = [body].flat().map((each) => picked(each, "id", "iid", "title", "state"))
      expect([path, query, shown]).toEqual([path, query, expected.map((each) => picked(each, "id", "iid", "title", "state"))])
    }
  }
}

describe("milestones of a group, of one in it, and of their projects", () => {
  it("are what somebody who notes the answers expects", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(order, { minLength: 4, maxLength: 14 }), async (orders) => {
        let notes: Notes = { places: await makePlaces(), there: [], made: new Map() }
        for (const each of orders) notes = await step(notes, each)
        await compare(notes)
      }),
      { numRuns: 25 }
    )
  })
})
