import type { Budget } from "./Budget.ts"
import { circlesIn } from "./components.ts"
import type { Variable } from "./context.ts"
import { maxDepth, maxExpandedLength } from "./limits.ts"
import type { PlannedVariable } from "./plan.ts"
import { inspected } from "./value.ts"

/** Variables that go together, by key. */
export type VariableMap = ReadonlyMap<string, PlannedVariable>

export const variableMap = (variables: Iterable<PlannedVariable>): VariableMap =>
  new Map(Array.from(variables, (variable) => [variable.key, variable]))

export const knownVariables = (variables: ReadonlyArray<Variable>): VariableMap =>
  variableMap(variables.map((variable) => ({ ...variable, isExpanded: true })))

/** The variables that something sees. */
export interface Scope {
  /** The value as it is written. */
  readonly value: (key: string) => string | undefined
  /** A text with the values of the variables that it names; those that are not there are blank, or stay with `keepsUnknown`. */
  readonly expand: (text: string, options?: { readonly keepsUnknown: boolean }) => string
  /** What is wrong with variables that name one another in a circle; undefined if nothing is. */
  readonly circles: () => string | undefined
}

/** Of the layers, the first that knows a variable counts. Once the budget is spent, nothing is expanded or found. */
export const scopeOf = (layers: ReadonlyArray<VariableMap>, budget: Budget): Scope => {
  const find = (key: string): PlannedVariable | undefined => layers.find((layer) => layer.has(key))?.get(key)
  const values = new Map<string, string>()
  const isOpen = new Set<string>()
  const expandedValue = (key: string): string | undefined => {
    const variable = find(key)
    const known = values.get(key)
    if (variable === undefined || known !== undefined) return known
    // One that leads to itself stays as it is written, and so does one at the end of a long chain.
    if (!variable.isExpanded || isOpen.has(key) || isOpen.size === maxDepth) return variable.value
    isOpen.add(key)
    const value = replaced(variable.value, "")
    isOpen.delete(key)
    values.set(key, value)
    return value
  }
  const replaced = (text: string, unknown: string | undefined) =>
    budget.spend(Math.ceil(text.length / charactersAStep)) ? replaceNames(text, expandedValue, unknown) : text
  return {
    value: (key) => find(key)?.value,
    expand: (text, options) => replaced(text, options?.keepsUnknown ? undefined : ""),
    circles: () => circlesAmong(layers, find, budget)
  }
}

const charactersAStep = 16

const mentions = /\$\$|%%|\$([a-zA-Z_]\w*)|\$\{([a-zA-Z_]\w*)\}|%([a-zA-Z_]\w*)%/g

/** Without a text for those that are unknown, they stay. A result that would be too long is not made: the text stays. */
const replaceNames = (text: string, valueOfName: (name: string) => string | undefined, unknown: string | undefined): string => {
  if (!/[$%]/.test(text)) return text
  const parts: Array<string> = []
  let end = 0
  let length = 0
  for (const { 0: matched, 1: plain, 2: braced, 3: percent, index } of text.matchAll(mentions)) {
    const name = plain ?? braced ?? percent
    const value = name === undefined ? matched : (valueOfName(name) ?? unknown ?? matched)
    length += index - end + value.length
    if (length > maxExpandedLength) return text
    parts.push(text.slice(end, index), value)
    end = index + matched.length
  }
  return `${parts.join("")}${text.slice(end)}`
}

/** The circles of names are told once for each job, but variables are shared between jobs. */
const named = new WeakMap<PlannedVariable, ReadonlyArray<string>>()

const none: ReadonlyArray<string> = []

const namesIn = (variable: PlannedVariable): ReadonlyArray<string> => {
  const { isExpanded, value } = variable
  if (!isExpanded || !/[$%]/.test(value)) return none
  const known = named.get(variable)
  if (known !== undefined) return known
  const mentioned = Array.from(value.matchAll(mentions), ([, plain, braced, percent]) => plain ?? braced ?? percent ?? [])
  const names = [...new Set(mentioned.flat())]
  named.set(variable, names)
  return names
}

const naming = new WeakMap<VariableMap, boolean>()

/** Whether any of a layer names others: mostly none does, and the predefined ones are those of all jobs. */
const namesAny = (layer: VariableMap): boolean => {
  const known = naming.get(layer) ?? [...layer.values()].some((variable) => namesIn(variable).length > 0)
  naming.set(layer, known)
  return known
}

const circlesAmong = (
  layers: ReadonlyArray<VariableMap>,
  find: (key: string) => PlannedVariable | undefined,
  budget: Budget
): string | undefined => {
  if (!layers.some(namesAny)) {
    budget.spend(layers.reduce((sum, { size }) => sum + size, 0))
    return undefined
  }
  const graph = new Map<string, ReadonlyArray<string>>()
  for (const key of layers.toReversed().flatMap((layer) => [...layer.keys()])) {
    const variable = find(key)
    const names = variable === undefined ? [] : namesIn(variable)
    if (!budget.spend(1 + names.length)) return undefined
    if (names.length > 0) graph.set(key, names)
  }
  const circles = circlesIn(graph)
  if (circles.length === 0) return undefined
  return `circular variable reference detected: ${circles.map(inspected).join(", ")}`
}
