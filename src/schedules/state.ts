import { HashMap, Option } from "effect"
import { ScheduleEvent, type ScheduleSettings, type Variable } from "./events.ts"

export interface Schedule {
  readonly projectId: number
  readonly ownerId: number
  readonly settings: ScheduleSettings
  /** The variables by their keys. */
  readonly variables: HashMap.HashMap<string, Variable>
}

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Present"; readonly schedule: Schedule }
  | { readonly _tag: "Deleted" }

export const initial: State = { _tag: "Absent" }

export const variableOf = ({ variables }: Schedule, key: string): Variable | undefined =>
  Option.getOrUndefined(HashMap.get(variables, key))

const present = (schedule: Schedule): State => ({ _tag: "Present", schedule })

type Created = Extract<ScheduleEvent, { readonly _tag: "ScheduleCreated" }>

const began = ({ _tag, nextRun, ownerId, projectId, ...settings }: Created): State =>
  present({ projectId, ownerId, settings, variables: HashMap.empty() })

/** Events of a schedule that is not there change nothing, and a deleted one stays deleted. */
export const evolve = (state: State, event: ScheduleEvent): State => {
  if (event._tag === "ScheduleCreated") return state._tag === "Absent" ? began(event) : state
  if (state._tag !== "Present") return state
  const { schedule } = state
  const { settings, variables } = schedule
  return ScheduleEvent.match(event, {
    ScheduleCreated: (): State => state,
    ScheduleChanged: ({ changes }) => present({ ...schedule, settings: { ...settings, ...changes } }),
    NextRunReckoned: (): State => state,
    OwnershipTaken: ({ ownerId }) => present({ ...schedule, ownerId }),
    ScheduleDeactivated: () => present({ ...schedule, settings: { ...settings, isActive: false } }),
    ScheduleDeleted: (): State => ({ _tag: "Deleted" }),
    VariableAdded: ({ _tag, key, ...variable }) => present({ ...schedule, variables: HashMap.set(variables, key, variable) }),
    VariableChanged: ({ changes, key }) =>
      present({ ...schedule, variables: HashMap.modify(variables, key, (variable) => ({ ...variable, ...changes })) }),
    VariableRemoved: ({ key }) => present({ ...schedule, variables: HashMap.remove(variables, key) }),
    Played: (): State => state
  })
}
