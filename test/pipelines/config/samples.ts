import { Effect } from "effect"
import { compile } from "#src/pipelines/config/compilation/compile.ts"
import type { Context, Files, Variable } from "#src/pipelines/config/context.ts"
import type { Compiled, JobPlan, PlannedVariable } from "#src/pipelines/config/plan.ts"

/** What there is besides the text of a configuration. */
export interface Given extends Partial<Omit<Context, "predefined" | "variables">> {
  readonly predefined?: Readonly<Record<string, string>>
  readonly variables?: Readonly<Record<string, string>>
  /** The texts of files by their paths. */
  readonly files?: Readonly<Record<string, string>>
  readonly changedPaths?: ReadonlyArray<string>
  readonly paths?: ReadonlyArray<string>
}

const variablesOf = (values: Readonly<Record<string, string>> = {}): ReadonlyArray<Variable> =>
  Object.entries(values).map(([key, value]) => ({ key, value }))

const contextOf = ({
  isTag = false,
  predefined,
  projectPath = "tools/engine",
  ref = "main",
  source = "push",
  variables
}: Given): Context => ({
  source,
  ref,
  isTag,
  projectPath,
  predefined: variablesOf({ [isTag ? "CI_COMMIT_TAG" : "CI_COMMIT_BRANCH"]: ref, CI_PIPELINE_SOURCE: source, ...predefined }),
  variables: variablesOf(variables)
})

const filesOf = ({ changedPaths, files = {}, paths = Object.keys(files) }: Given): Files => ({
  read: (path) => Effect.sync(() => files[path]),
  changedPaths: Effect.succeed(changedPaths),
  paths: Effect.succeed(paths)
})

/** What a configuration means; a push to the branch `main` unless something else is given. */
export const compiled = (text: string, given: Given = {}): Promise<Compiled> =>
  Effect.runPromise(compile(text, contextOf(given), filesOf(given)))

/** The plan of a job about which the configuration says no more than this. */
export const job = (name: string, plan: Partial<JobPlan> = {}): JobPlan => ({
  name,
  stage: "test",
  when: "on_success",
  allowFailure: false,
  variables: [],
  retry: { max: 0, when: ["always"], exitCodes: [] },
  interruptible: false,
  tags: [],
  definition: { script: ["x"] },
  ...plan
})

export const variable = (key: string, value: string, isExpanded = true): PlannedVariable => ({ key, value, isExpanded })

const defaultStages = [".pre", "build", "test", "deploy", ".post"]

/** A plan with these jobs, in the stages that there are by default. */
export const planned = (jobs: ReadonlyArray<JobPlan>, stages: ReadonlyArray<string> = defaultStages): Compiled => ({
  _tag: "Planned",
  stages,
  jobs,
  name: null
})

export const invalid = (first: string, ...others: ReadonlyArray<string>): Compiled => ({
  _tag: "Invalid",
  errors: [first, ...others]
})

export const filtered: Compiled = { _tag: "Filtered" }
export const noJobs: Compiled = { _tag: "NoJobs" }

/** The names of the jobs; anything but a plan as it is. */
export const namesIn = (result: Compiled): ReadonlyArray<string> | Compiled =>
  result._tag === "Planned" ? result.jobs.map(({ name }) => name) : result
