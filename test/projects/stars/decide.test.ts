import { Result } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { projectsReadModel } from "#projections/projects/projection.ts"
import { ProjectEvent, projectCodec } from "#src/projects/events.ts"
import { type Command, type State, starAggregate } from "#src/projects/stars/aggregate.ts"
import { StarEvent, starCodec } from "#src/projects/stars/events.ts"
import { starStream } from "#src/projects/stars/ids.ts"
import { UserEvent, userCodec } from "#src/users/events.ts"
import { changesIn, recorded } from "#test/support/recordedEvent.ts"

const { decide, evolve, initial } = starAggregate

const star = { projectId: 9, userId: 5 }
const starred = StarEvent.cases.ProjectStarred.make(star)
const unstarred = StarEvent.cases.ProjectUnstarred.make(star)

it.each<[Command["_tag"], State["_tag"], ReadonlyArray<StarEvent>]>([
  ["Star", "Unstarred", [starred]],
  ["Star", "Starred", []],
  ["Unstar", "Unstarred", []],
  ["Unstar", "Starred", [unstarred]]
])("%s while %s", (command, state, events) => {
  expect(decide({ _tag: command, ...star }, { _tag: state })).toEqual(Result.succeed(events))
})

it("the last command tells whether there is a star, and its repeat adds nothing", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom<Command["_tag"]>("Star", "Unstar"), { minLength: 1 }), (tags) => {
      const send = (state: State, tag: Command["_tag"]) => Result.getOrThrow(decide({ _tag: tag, ...star }, state))
      const state = tags.reduce<State>((before, tag) => send(before, tag).reduce(evolve, before), initial)
      const [last = "Star"] = tags.slice(-1)
      expect([state._tag, send(state, last)]).toEqual([last === "Star" ? "Starred" : "Unstarred", []])
    })
  )
})

const { at } = recorded
const changesOf = changesIn(projectsReadModel)

it("are rows until they, their projects or their users go away", () => {
  const key = { project_id: 9, user_id: 5 }
  expect(changesOf(starCodec.encode(starred), starStream(star))).toEqual([
    { _tag: "Put", table: "stars", row: { ...key, starred_at: at } }
  ])
  expect(changesOf(starCodec.encode(unstarred), starStream(star))).toEqual([{ _tag: "Remove", table: "stars", key }])
  const gone = [
    changesOf(projectCodec.encode(ProjectEvent.cases.ProjectDeleted.make({})), "project-9"),
    changesOf(userCodec.encode(UserEvent.cases.UserDeleted.make({ hardDelete: false })), "user-5")
  ]
  expect(gone.map((changes) => changes.filter((change) => "table" in change && change.table === "stars"))).toEqual([
    [{ _tag: "RemoveWhere", table: "stars", where: { project_id: 9 } }],
    [{ _tag: "RemoveWhere", table: "stars", where: { user_id: 5 } }]
  ])
})
