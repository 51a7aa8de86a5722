import type { HashListParameter, HashParameter, Parameter } from "./parameters.ts"

/** Adds the texts of the rules that `value` violates; undefined stands for an absent parameter that is required. */
export type Rules = (value: unknown, texts: Array<string>) => void

const isBlank = (value: unknown): boolean => {
  if (value === undefined || value === null) return true
  if (typeof value === "string") return !/\S/.test(value)
  return typeof value === "object" && Object.keys(value).length === 0
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/** What is checked after a parameter was found and coerced, or undefined if there is nothing to check. */
export const compileRules = (
  label: string,
  parameter: Exclude<Parameter, HashParameter | HashListParameter>,
  nested: boolean
): Rules | undefined => {
  const rules: Array<Rules> = []
  const refusesBlank = "allowBlank" in parameter && parameter.allowBlank === false
  if (refusesBlank) {
    rules.push((value, texts) => {
      if (isBlank(value)) texts.push(`${label} is empty`)
    })
  }
  if ("values" in parameter && parameter.values !== undefined) {
    const values = new Set<unknown>(parameter.values)
    const nullPasses = nested || parameter.required !== true
    const blankPasses = parameter.kind === "string" && parameter.allowBlank === true
    rules.push((value, texts) => {
      if (refusesBlank && isBlank(value)) return
      if (isAbsent(value) ? nullPasses || (value === null && blankPasses) : blankPasses && isBlank(value)) return
      const chosen = Array.isArray(value) ? value : [value]
      if (!chosen.every((one) => values.has(one))) texts.push(`${label} does not have a valid value`)
    })
  }
  if (parameter.kind === "integer" && parameter.forbidden !== undefined) {
    const forbidden = new Set<unknown>(parameter.forbidden)
    rules.push((value, texts) => {
      if (forbidden.has(value)) texts.push(`${label} has a value not allowed`)
    })
  }
  if (parameter.kind === "string" && parameter.pattern !== undefined) {
    const { pattern } = parameter
    rules.push((value, texts) => {
      if (typeof value === "string" && !pattern.test(value)) texts.push(`${label} is invalid`)
    })
  }
  if (parameter.kind === "string" && parameter.oneOf !== undefined) {
    const { otherwise } = parameter.oneOf
    const values = new Set<unknown>(parameter.oneOf.values)
    rules.push((value, texts) => {
      if (!values.has(value)) texts.push(`${label} ${otherwise}`)
    })
  }
  const [first, ...others] = rules
  if (first === undefined || others.length === 0) return first
  return (value, texts) => {
    for (const rule of rules) rule(value, texts)
  }
}
