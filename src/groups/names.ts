import { Effect, Equal } from "effect"
import { load } from "../platform/Commands.ts"
import { type Name, release, reserve } from "../platform/Reservations.ts"
import { usernameName } from "../users/Users.ts"
import { groupAggregate } from "./aggregate.ts"
import { GroupInvalid } from "./errors.ts"
import { pathIsTaken } from "./faults.ts"
import { GroupProjects, groupPathName, pathName } from "./Groups.ts"
import { groupStream } from "./ids.ts"

/** Whether the owner, a user, group or project, has the name. */
const stillHeld = (projects: GroupProjects["Service"], name: Name) => (owner: string) =>
  Effect.map(Effect.all([usernameName(owner), groupPathName(owner), projects.pathName(owner)]), (held) =>
    held.some((one) => one !== undefined && Equal.equals(one, name))
  )

/** Reserves a path for a group that does not have it yet. */
export const reservePath = Effect.fnUntraced(function* (name: Name, id: number) {
  const projects = yield* GroupProjects
  yield* reserve(name, groupStream(id), stillHeld(projects, name)).pipe(
    Effect.mapError(() => new GroupInvalid({ faults: [pathIsTaken] }))
  )
})

/** Gives a path back, unless the group has it by now. */
export const releasePath = Effect.fnUntraced(function* (name: Name, id: number) {
  const { state } = yield* load(groupAggregate, id)
  const held = state._tag === "Present" ? pathName(state.group.parentId, state.group.path) : undefined
  if (held === undefined || !Equal.equals(held, name)) yield* release(name, groupStream(id))
})
