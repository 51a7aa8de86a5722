import { Effect, Result } from "effect"
import { branchOf, tagOf } from "../../git/refs/refNames.ts"
import type { UserRow } from "../../http/access/Caller.ts"
import type { Position, RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { nextId } from "../../platform/Ids.ts"
import { userOf } from "../../platform/Origin.ts"
import { awaitVisible, react } from "../../platform/reactions/react.ts"
import { query, Sql } from "../../platform/sql/Sql.ts"
import type { ProjectEvent } from "../../projects/events.ts"
import { projectIdOf } from "../../projects/ids.ts"
import { can, mayGiveVariables, type ProjectRow, Projects, principalOf } from "../../projects/Projects.ts"
import { pushCodec } from "../../pushes/events.ts"
import { repositoryIdOf } from "../../pushes/ids.ts"
import { commitOf } from "../../repositories/Code.ts"
import { Users } from "../../users/Users.ts"
import { createPipeline, isSwitchedOff } from "../creation/createPipeline.ts"
import { pushReactor } from "../ids.ts"
import { forgetVariables } from "../variables.ts"
import { pushOptionsOf } from "./pushOptions.ts"

/** A push of more branches and tags makes pipelines for the first ones only, as in the reference. */
const maxRefs = 4

/** The user who pushed; undefined for what the service did itself, such as an import. */
const pusherOf = Effect.fnUntraced(function* ({ metadata: { actor } }: RecordedEvent) {
  const id = userOf(actor)
  return id === undefined ? undefined : yield* Users.use((users) => users.find(id))
})

/**
 * The id that the pipeline of a ref that moved gets: the same one each time. Undefined where the checkpoint is behind the push: then this
 * process stood still, and another one made the pipeline, whose id is forgotten.
 */
const idFor = Effect.fnUntraced(function* (position: Position, ref: string) {
  const { client } = yield* Sql
  const id = yield* nextId("pipeline")
  yield* query(
    () => client`
      insert into chronoforge.pushed_pipelines (position, ref, pipeline_id)
      select ${position}, ${ref}, ${id}
      where not exists (select from chronoforge.reactions r where r.name = ${pushReactor} and r.position >= ${position})
      on conflict do nothing`
  )
  const [row] = yield* query(
    () => client<Array<{ pipeline_id: number }>>`
      select pipeline_id from chronoforge.pushed_pipelines where position = ${position} and ref = ${ref}`
  )
  return row?.pipeline_id
})

/** What was noted of pushes behind the checkpoint is needed no more. */
const forget = Effect.flatMap(Sql, ({ client }) =>
  query(
    () => client`
      delete from chronoforge.pushed_pipelines
      where position <= (select r.position from chronoforge.reactions r where r.name = ${pushReactor})`
  )
)

interface Pushed {
  readonly project: ProjectRow
  readonly by: UserRow
  readonly position: Position
  readonly ref: string
  readonly before: string | null
  readonly after: string
  readonly serverUrl: string
}

const isBranchOrTag = (ref: string): boolean => branchOf(ref) !== undefined || tagOf(ref) !== undefined

const makePipeline = Effect.fnUntraced(function* (pushed: Pushed, variables: ReturnType<typeof pushOptionsOf>["variables"]) {
  const { after, before, by, position, project, ref } = pushed
  const sha = yield* commitOf(project, after)
  if (sha === undefined) return
  const id = yield* idFor(position, ref)
  if (id === undefined) return
  yield* createPipeline({
    id,
    project,
    ref,
    source: "push",
    by,
    variables,
    serverUrl: pushed.serverUrl,
    push: { before, sha }
  })
})

/** Makes the pipelines of a push, for those who may make any. */
export const onPush = Effect.fnUntraced(function* (event: RecordedEvent, serverUrl: string) {
  const decoded = pushCodec.decode(event)
  const [projectId, by] = [repositoryIdOf(event.stream), yield* pusherOf(event)]
  if (Result.isFailure(decoded) || projectId === undefined || by === undefined) return
  yield* awaitVisible(event)
  const found = yield* Projects.use((projects) => projects.find(String(projectId), by.id))
  if (found === undefined) return
  const principal = principalOf({ user: by }, found.role)
  const { options, updates } = decoded.success
  const { skips, variables } = pushOptionsOf(options)
  if (skips || isSwitchedOff(found.project) || !can("create_pipeline", principal, found.project)) return
  const allowed = mayGiveVariables(principal, found.project) ? variables : []
  const moved = updates.flatMap(({ after, before, ref }) =>
    after !== null && isBranchOrTag(ref)
      ? [{ project: found.project, by, position: event.position, ref, before, after, serverUrl }]
      : []
  )
  yield* Effect.forEach(moved.slice(0, maxRefs), (pushed) => makePipeline(pushed, allowed), { discard: true })
  yield* forget
})

/** The variables of pipelines go with their project. */
const onDeletion = ({ stream }: RecordedEvent) => {
  const projectId = projectIdOf(stream)
  return projectId === undefined ? Effect.void : forgetVariables(projectId)
}

const deletion = "ProjectDeleted" satisfies ProjectEvent["_tag"]
const types = new Set([...pushCodec.types, deletion])

/** Makes pipelines of what is pushed, for ever. Links in their variables begin with the address. */
export const reactToPushes = (serverUrl: string) =>
  react({
    name: pushReactor,
    types,
    onEvent: (event) => (event.type === deletion ? onDeletion(event) : onPush(event, serverUrl))
  })
