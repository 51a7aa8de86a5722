import type { PipelineVariable } from "../variables.ts"

/** What the options of a push say of pipelines. */
export interface PushOptions {
  readonly skips: boolean
  readonly variables: ReadonlyArray<PipelineVariable>
}

const variable = /^ci\.variable=([A-Za-z0-9_]{1,255})=(.*)$/s

/** Reads `ci.skip` and `ci.variable=KEY=value`. Other options are not about pipelines. */
export const pushOptionsOf = (options: ReadonlyArray<string>): PushOptions => ({
  skips: options.includes("ci.skip"),
  variables: options.flatMap((option): ReadonlyArray<PipelineVariable> => {
    const [, key, value] = variable.exec(option) ?? []
    return key === undefined || value === undefined ? [] : [{ key, value, variableType: "env_var", raw: false }]
  })
})
