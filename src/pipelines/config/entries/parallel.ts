import { maxParallel } from "../limits.ts"
import type { PlannedVariable } from "../plan.ts"
import { at, isBlank, isList, isMap, type Value, type ValueMap } from "../value.ts"
import { hasOnly, isInteger } from "./checks.ts"
import { type Place, within, wrong, wrongVerbatim } from "./place.ts"

/** What a parallel job becomes. Its jobs are made only where it is known that there are not too many. */
export interface Parallel {
  readonly total: number
  readonly instances: () => ReadonlyArray<Instance>
}

/** One of the jobs that a parallel one becomes. */
export interface Instance {
  readonly nameOf: (job: string) => string
  readonly variables: ReadonlyArray<PlannedVariable>
}

/** The jobs that one becomes: `parallel: 3`, or one for each combination of `matrix`. */
export const readParallel = (value: Value, place: Place): Parallel | undefined => {
  if (typeof value !== "number") return readMatrix(value, place)
  const fault = numberFault(value)
  if (fault !== undefined) return wrong(place, `config must be ${fault}`)
  const instance = (_: unknown, index: number): Instance => ({
    nameOf: (job) => `${job} ${index + 1}/${value}`,
    variables: []
  })
  return { total: value, instances: () => Array.from({ length: value }, instance) }
}

const numberFault = (value: number): string | undefined => {
  if (!isInteger(value)) return "an integer"
  if (value < 1) return "greater than or equal to 1"
  return value > maxParallel ? `less than or equal to ${maxParallel}` : undefined
}

export const readMatrix = (value: Value, place: Place): Parallel | undefined => {
  if (!isMap(value)) return wrongVerbatim(place, "should be an integer or a hash")
  if (!hasOnly(value, ["matrix"], place)) return undefined
  const matrix = at(value, "matrix")
  return matrix === null ? wrong(place, "config missing required keys: matrix") : combinations(matrix, within(place, "matrix"))
}

const combinations = (matrix: Value, place: Place): Parallel | undefined => {
  if (!isList(matrix) || !matrix.every(isMap)) return wrong(place, "config should be an array of hashes")
  const dimensions = matrix.map((map) => readDimensions(map, within(place, "variables")))
  const total = dimensions.reduce((sum, one) => sum + one.reduce((product, [, values]) => product * values.length, 1), 0)
  if (total > maxParallel) return wrong(place, `config generates too many jobs (maximum is ${maxParallel})`)
  return { total, instances: () => dimensions.flatMap(product).map(instanceOf) }
}

type Dimension = readonly [key: string, values: ReadonlyArray<string>]

const readDimensions = (map: ValueMap, place: Place): ReadonlyArray<Dimension> => {
  if (map.size === 0) wrong(place, "config requires at least 1 items")
  const dimensions = Array.from(map, ([key, value]): readonly [string, ReadonlyArray<Value>] => [
    key,
    isList(value) ? value : [value]
  ])
  const fits = dimensions.every(
    ([, values]) => !isBlank(values) && values.every((one) => typeof one === "string" || isInteger(one))
  )
  if (!fits) wrong(place, "config should be a hash of key value pairs, value can be an array")
  return fits ? dimensions.map(([key, values]): Dimension => [key, values.map(String)]) : []
}

/** The last dimension changes first. */
const product = (dimensions: ReadonlyArray<Dimension>): ReadonlyArray<ReadonlyArray<PlannedVariable>> =>
  dimensions.reduce<ReadonlyArray<ReadonlyArray<PlannedVariable>>>(
    (rows, [key, values]) => rows.flatMap((row) => values.map((value) => [...row, { key, value, isExpanded: true }])),
    [[]]
  )

const instanceOf = (variables: ReadonlyArray<PlannedVariable>): Instance => ({
  nameOf: (job) => `${job}: [${variables.map(({ value }) => value).join(", ")}]`,
  variables
})
