import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { idOf, useLabels } from "./useLabels.ts"

const { add, get, namesIn, newGroup, newProject, put, remove } = useLabels()

/** A label as somebody would note it who knows nothing but the answers. */
interface Noted {
  readonly id: number
  readonly place: string
  readonly title: string
  readonly description: string
}

/** A group, a group in it, and a project in each: by their paths, with what lies around them, the nearest first. */
let around = new Map<string, ReadonlyArray<string>>()

const placesAt = (index: number): readonly [place: string, above: ReadonlyArray<string>] =>
  [...around][index] ?? expect.unreachable()

const makePlaces = async () => {
  const outer = await newGroup()
  const inner = await newGroup({ parent_id: outer })
  const [outerPath, innerPath] = [`groups/${outer}`, `groups/${inner}`]
  const project = async (group: number) => `projects/${await newProject({ namespace_id: group })}`
  around = new Map([
    [outerPath, []],
    [innerPath, [outerPath]],
    [await project(outer), [outerPath]],
    [await project(inner), [innerPath, outerPath]]
  ])
}

const titles = ["bug", "Bug", "a/b", "zeta 1", "ünlü", "urgent"]
const descriptions = ["", "what is broken", "Urgent BUG"]

const order = fc.record({
  kind: fc.constantFrom("add", "add", "add", "retitle", "describe", "remove"),
  place: fc.nat(3),
  title: fc.constantFrom(...titles),
  other: fc.constantFrom(...titles),
  description: fc.constantFrom(...descriptions)
})
type Order = typeof order extends fc.Arbitrary<infer O> ? O : never

const isIn = (places: ReadonlyArray<string>) => (label: Noted) => places.includes(label.place)

/** The label of a title in a place itself: those of the groups above are not changed there. */
const ownOf = (noted: ReadonlyArray<Noted>, place: string, title: string) =>
  noted.find((label) => label.place === place && label.title === title)

/** Obeys in the service and among the notes, and compares what both say of it. */
const step = async (noted: ReadonlyArray<Noted>, { description, kind, other, place: index, title }: Order) => {
  const [place, above] = placesAt(index)
  const own = ownOf(noted, place, title)
  if (kind === "add") {
    const answer = await add(place, { name: title, description })
    const isTaken = noted.filter(isIn([place, ...above])).some((label) => label.title === title)
    expect([kind, answer.status]).toEqual([kind, isTaken ? 409 : 201])
    return isTaken ? noted : [...noted, { id: idOf(answer), place, title, description }]
  }
  const others = noted.filter((label) => label !== own)
  if (kind === "remove") {
    expect([kind, (await remove(place, title)).status]).toEqual([kind, own === undefined ? 404 : 204])
    return others
  }
  const { status } = await put(place, title, kind === "retitle" ? { new_name: other } : { description })
  if (own === undefined) {
    expect([kind, status]).toEqual([kind, 404])
    return noted
  }
  const isTaken = kind === "retitle" && ownOf(others, place, other) !== undefined
  expect([kind, status]).toEqual([kind, isTaken ? 400 : 200])
  return isTaken ? noted : [...others, { ...own, ...(kind === "retitle" ? { title: other } : { description }) }]
}

/** Titles are compared as bytes, as no language of its own orders a list that everybody sees. */
const byTitle = (one: Noted, another: Noted) =>
  Buffer.compare(Buffer.from(one.title), Buffer.from(another.title)) || one.id - another.id

const holds = (text: string, words: ReadonlyArray<string>) => words.every((word) => text.toLowerCase().includes(word))

/** What each place shows: its own labels and those above, in lists, in searches, and by title, where the nearest one counts. */
const compare = async (noted: ReadonlyArray<Noted>) => {
  for (const [place, above] of around) {
    const reached = noted.filter(isIn([place, ...above])).toSorted(byTitle)
    const own = reached.filter(isIn([place]))
    const { body } = await get(place)
    expect([body].flat().map((label) => [field(label, "id"), field(label, "name")])).toEqual(
      reached.map(({ id, title }) => [id, title])
    )
    expect(await namesIn(place, { include_ancestor_groups: "false" })).toEqual(own.map(({ title }) => title))
    for (const search of ["BUG", "urgent bug", "zeta"]) {
      const words = search.toLowerCase().split(" ")
      const found = reached.filter(({ description, title }) => holds(title, words) || holds(description, words))
      expect([search, await namesIn(place, { search })]).toEqual([search, found.map(({ title }) => title)])
    }
    for (const title of titles) {
      const nearest = [place, ...above].flatMap((each) => ownOf(noted, each, title) ?? [])[0]
      const { body: shown, status } = await get(place, title)
      expect([title, status, field(shown, "id")]).toEqual([title, nearest === undefined ? 404 : 200, nearest?.id])
    }
  }
}

describe("labels of a group, of one in it, and of their projects", () => {
  it("are what somebody who notes the answers expects", async () => {
    await fc.assert(
      fc
        .asyncProperty(fc.array(order, { minLength: 4, maxLength: 14 }), async (orders) => {
          let noted: ReadonlyArray<Noted> = []
          for (const each of orders) noted = await step(noted, each)
          await compare(noted)
        })
        .beforeEach(makePlaces),
      { numRuns: 25 }
    )
  })
})
