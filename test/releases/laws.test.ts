import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Command, releaseAggregate, type State } from "#src/releases/aggregate.ts"
import { type Link, ReleaseEvent, releaseCodec } from "#src/releases/events.ts"
import { linkFaults } from "#src/releases/faults.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"

const { decide, initial } = releaseAggregate
const { cases } = ReleaseEvent

const id = fc.integer({ min: 1, max: 4 })
const names = fc.constantFrom("a", "b", "c", "")
const urls = fc.constantFrom("https://example.com/a", "https://example.com/b", "ftp://example.com/c", "nowhere")
const paths = fc.constantFrom("/abc", "/abc/def", null, "/a")
const types = fc.constantFrom("other", "runbook", "image", "package")
const link: fc.Arbitrary<Link> = fc.record({ id, name: names, url: urls, path: paths, type: types })
const links = fc.uniqueArray(link, { maxLength: 3, selector: (each) => each.id })
const text = fc.option(fc.string())
const milestoneIds = fc.array(id, { maxLength: 2 })
const release = fc.record({ id, name: text, description: text, releasedAt: fc.option(fc.nat()), milestoneIds, links })
const sha = fc.option(fc.constantFrom("a", "b"))
const changes = fc.record({ name: text, description: text, releasedAt: fc.nat(), milestoneIds }, { requiredKeys: [] })
const evidence = { position: fc.nat(), summary: fc.string(), sha256: fc.string() }

const event: fc.Arbitrary<ReleaseEvent> = fc.oneof(
  fc.tuple(release, sha).map(([made, commit]) => cases.ReleaseCreated.make({ by: 1, sha: commit, ...made })),
  changes.map((changed) => cases.ReleaseChanged.make({ by: 1, ...changed })),
  fc.constant(cases.ReleaseDeleted.make({ by: 1 })),
  link.map((added) => cases.ReleaseLinkAdded.make({ by: 1, link: added })),
  link.map((changed) => cases.ReleaseLinkChanged.make({ by: 1, link: changed })),
  id.map((removed) => cases.ReleaseLinkRemoved.make({ by: 1, id: removed })),
  fc.record(evidence).map((data) => cases.EvidenceCollected.make(data))
)

const create: fc.Arbitrary<Command> = fc
  .tuple(release, sha)
  .map(([made, commit]) => ({ _tag: "Create", by: 1, release: { ...made, sha: commit } }))
const linkChanges = fc.record({ name: names, url: urls, path: paths, type: types }, { requiredKeys: [] })
const deletion: Command = { _tag: "Delete", by: 1 }
const command: fc.Arbitrary<Command> = fc.oneof(
  create,
  changes.map((changed): Command => ({ _tag: "Change", by: 1, changes: changed })),
  link.map((added): Command => ({ _tag: "AddLink", by: 1, link: added })),
  fc.tuple(id, linkChanges).map(([changed, to]): Command => ({ _tag: "ChangeLink", by: 1, id: changed, changes: to })),
  id.map((removed): Command => ({ _tag: "RemoveLink", by: 1, id: removed })),
  fc.record({ id, ...evidence }).map((data): Command => ({ _tag: "CollectEvidence", ...data })),
  fc.constant(deletion)
)
const commands = fc.array(command, { maxLength: 20 })
const step = stepOf(releaseAggregate)
const fold = foldOf(releaseAggregate)

/** The events of commands, one after the other. */
const eventsOf = (all: ReadonlyArray<Command>): ReadonlyArray<ReleaseEvent> => {
  let state: State = initial
  return all.flatMap((each) => {
    const events = Result.getOrElse(decide(each, state), () => [])
    state = fold(events, state)
    return events
  })
}

describe("laws of releases", () => {
  itFoldsInParts(fold, event)
  itIsStored(releaseCodec, event)

  it("whatever comes, nothing is wrong with any link: names, addresses and paths are unique", () => {
    fc.assert(
      fc.property(commands, (given) => {
        const all = given.reduce(step, initial)?.links ?? []
        expect(all.flatMap((each) => linkFaults(each, all))).toEqual([])
        const columns = [all.map(({ name }) => name), all.map(({ url }) => url), all.flatMap(({ path }) => path ?? [])]
        for (const values of columns) expect(new Set(values).size).toBe(values.length)
        expect(new Set(all.map((each) => each.id)).size).toBe(all.length)
      })
    )
  })

  it("what a command set stays so: the second time it changes nothing, or finds what it did", () => {
    fc.assert(
      fc.property(commands, command, (before, again) => {
        const state = before.reduce(step, initial)
        const decided = decide(again, state)
        if (Result.isFailure(decided)) return
        const after = fold(decided.success, state)
        const repeated = decide(again, after)
        if (
          again._tag === "Change" ||
          again._tag === "AddLink" ||
          again._tag === "ChangeLink" ||
          again._tag === "CollectEvidence"
        )
          expect(repeated).toEqual(Result.succeed([]))
        else expect(Result.isFailure(repeated)).toBe(true)
        expect(step(after, again)).toEqual(after)
      })
    )
  })

  it("a release is made where there is none, deleted where there is one, and made again", () => {
    fc.assert(
      fc.property(commands, create, (before, again) => {
        const [state, gone] = [before.reduce(step, initial), [...before, deletion].reduce(step, initial)]
        expect(gone).toBeUndefined()
        expect(decide(again, gone)).toEqual(decide(again, initial))
        if (state !== undefined) expect(decide(again, state)).toMatchObject(Result.fail({ _tag: "ReleaseExists" }))
      })
    )
  })

  it("a release has at most one evidence", () => {
    fc.assert(
      fc.property(commands, (given) => {
        let count = 0
        for (const { _tag } of eventsOf(given)) {
          count = _tag === "ReleaseCreated" ? 0 : count + (_tag === "EvidenceCollected" ? 1 : 0)
          expect(count).toBeLessThanOrEqual(1)
        }
      })
    )
  })

  it("an event that is written changes something", () => {
    fc.assert(
      fc.property(commands, (given) => {
        let state: State = initial
        for (const each of eventsOf(given)) {
          const next: State = fold([each], state)
          expect(next).not.toEqual(state)
          state = next
        }
      })
    )
  })

  it("no event is refused, whatever came before: without a release only a new one counts", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 10 }), event, (before, last) => {
        const state = fold(before)
        if (state === undefined && last._tag !== "ReleaseCreated") expect(fold([last], state)).toBeUndefined()
        else expect(() => fold([last], state)).not.toThrow()
      })
    )
  })
})
