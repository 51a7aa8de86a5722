import { Result } from "effect"
import type { Budget } from "../Budget.ts"
import { type ConfigInvalid, invalid, tooComplex } from "../ConfigInvalid.ts"
import { maxReferences } from "../limits.ts"
import { inspected, isMap, isReference, isTexts, type Reference, type Value, type ValueMap } from "../value.ts"

interface Resolution {
  readonly config: ValueMap
  readonly budget: Budget
  /** What lists, maps and references stand for once the references in them are resolved. */
  readonly done: Map<object, Value>
  /** The references on the way, from the outermost one. */
  readonly path: Array<Reference>
  fault: ConfigInvalid | undefined
}

const keysAtOnce = 50

/** The configuration with the values for which its references stand. */
export const resolveReferences = function* (
  config: ValueMap,
  budget: Budget
): Generator<void, Result.Result<ValueMap, ConfigInvalid>, void> {
  const resolution: Resolution = { config, budget, done: new Map(), path: [], fault: undefined }
  const resolved = new Map<string, Value>()
  for (const [key, value] of config) {
    resolved.set(key, resolve(value, resolution))
    if (resolution.fault !== undefined) return Result.fail(resolution.fault)
    if (resolved.size % keysAtOnce === 0) yield
  }
  return Result.succeed(resolved)
}

const resolve = (value: Value, resolution: Resolution): Value => {
  if (typeof value !== "object" || value === null || resolution.fault !== undefined) return value
  const known = resolution.done.get(value)
  if (known !== undefined) return known
  const resolved = resolvedOf(value, resolution)
  resolution.done.set(value, resolved)
  return resolved
}

/** A value without references stays the very same one, so that what is known of it stays known. */
const resolvedOf = (value: Exclude<Value, null | boolean | number | string>, resolution: Resolution): Value => {
  if (isReference(value)) return target(value, resolution)
  const before = isMap(value) ? Array.from(value.values()) : value
  if (!resolution.budget.spend(before.length)) return failed(resolution, tooComplex())
  const after = before.map((item) => resolve(item, resolution))
  if (after.every((item, index) => item === before[index])) return value
  return isMap(value) ? new Map(Array.from(value.keys(), (key, index) => [key, after[index] ?? null])) : after
}

const failed = (resolution: Resolution, fault: ConfigInvalid): Value => {
  resolution.fault ??= fault
  return null
}

const target = (reference: Reference, resolution: Resolution): Value => {
  const { config, path } = resolution
  const keys = reference.reference
  if (!isTexts(keys) || keys.length === 0) return failed(resolution, invalid("!reference is not valid: it takes a list of keys"))
  const because = (fault: string): Value => failed(resolution, invalid(`!reference ${inspected(keys)} ${fault}`))
  if (path.includes(reference)) return because("is part of a circular chain")
  if (path.length >= maxReferences) return because("is nested too deeply")
  path.push(reference)
  const found = resolve(valueAt(config, keys), resolution)
  path.pop()
  return found === null || found === false ? because("could not be found") : found
}

const valueAt = (config: ValueMap, path: ReadonlyArray<string>): Value =>
  path.reduce((value: Value, key) => (isMap(value) ? (value.get(key) ?? null) : null), config)
