import { Effect, Schema } from "effect"
import { Secrets } from "../platform/secrets/Secrets.ts"

/** A variable that somebody gives to a pipeline. */
export const PipelineVariable = Schema.Struct({
  key: Schema.String,
  value: Schema.String,
  /** Whether jobs get the value itself, or the path of a file with it. */
  variableType: Schema.Literals(["env_var", "file"]),
  /** Whether names of other variables in the value are only text. */
  raw: Schema.Boolean
})
export type PipelineVariable = typeof PipelineVariable.Type

const stored = Schema.fromJsonString(Schema.Array(PipelineVariable))

/** The aggregate whose key seals the variables of all pipelines of a project: one for each pipeline would be too many. */
const keyOwner = (projectId: number): string => `pipelines-${projectId}`

/** Seals variables for the log; nothing for none. */
export const sealVariables = Effect.fnUntraced(function* (projectId: number, variables: ReadonlyArray<PipelineVariable>) {
  if (variables.length === 0) return undefined
  const text = yield* Effect.orDie(Schema.encodeEffect(stored)(variables))
  return yield* Secrets.use((secrets) => secrets.seal(keyOwner(projectId), text))
})

/** Lets nobody read the variables of a project any more. */
export const forgetVariables = (projectId: number) => Secrets.use((secrets) => secrets.deleteKey(keyOwner(projectId)))

/** What was sealed; nothing where it cannot be read any more. */
export const openVariables = Effect.fnUntraced(function* (projectId: number, sealed: string | undefined) {
  const text = sealed === undefined ? undefined : yield* Secrets.use((secrets) => secrets.open(keyOwner(projectId), sealed))
  return text === undefined ? [] : yield* Effect.orDie(Schema.decodeEffect(stored)(text))
})
