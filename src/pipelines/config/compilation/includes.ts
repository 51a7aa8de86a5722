import { Effect, Result } from "effect"
import { inSlices } from "../../../kernel/inSlices.ts"
import { Budget } from "../Budget.ts"
import { type ConfigInvalid, invalid, tooBig, tooComplex } from "../ConfigInvalid.ts"
import type { Files } from "../context.ts"
import { deepMerge } from "../deepMerge.ts"
import type { Reading } from "../entries/place.ts"
import { includeRules, type Rule, readRules } from "../entries/rules.ts"
import { maxIncludes, maxTokens, maxTotalLength } from "../limits.ts"
import type { Judge } from "../rules/judge.ts"
import type { Scope } from "../scope.ts"
import { at, isList, isMap, toJson, type Value, type ValueMap } from "../value.ts"
import { readDocument } from "../yaml/documents.ts"

/** What decides on includes. */
export interface Including {
  readonly files: Files
  readonly judge: Judge
  readonly reading: Reading
  /** The variables that do not come from the configuration. */
  readonly scope: Scope
}

interface IncludedFile {
  readonly path: string
  /** The path as it is written, for faults: values of variables may be secret, and many may read what is wrong. */
  readonly written: string
}

type Merged = Effect.Effect<ValueMap, ConfigInvalid>

/** The configuration in a text with those of all files that it includes: later ones count before earlier ones, and its own before theirs. */
export const withIncludes = (text: string, { files, judge, reading, scope }: Including): Merged => {
  const tokens = new Budget(maxTokens)
  const characters = new Budget(maxTotalLength)
  const known = new Map<string, ValueMap>()
  let count = 0

  const parsed = Effect.fnUntraced(function* (content: string) {
    if (!characters.spend(content.length)) return yield* invalid("Total size of combined CI/CD configuration is too big")
    const config = yield* Effect.fromResult(yield* inSlices(readDocument(content, tokens)))
    return isHeader(config) ? yield* invalid("spec is not supported here") : config
  })

  const parsedFile = Effect.fnUntraced(function* ({ path, written }: IncludedFile) {
    const within = ({ faults: [first] }: ConfigInvalid) => invalid(`\`${written}\`: ${first}`)
    const content = yield* files.read(path)
    if (content === undefined) return yield* invalid(`Local file \`${written}\` does not exist!`)
    if (content === null) return yield* within(tooBig())
    if (content.trim() === "") return yield* invalid(`Local file \`${written}\` is empty!`)
    const config = yield* Effect.mapError(parsed(content), within)
    return config.size > 0 ? config : yield* invalid(`Included file \`${written}\` does not have valid YAML syntax!`)
  })

  const included = (file: IncludedFile, parents: ReadonlyArray<IncludedFile>): Merged =>
    Effect.gen(function* () {
      if (++count > maxIncludes) return yield* invalid(`Maximum of ${maxIncludes} nested includes are allowed!`)
      if (parents.some(({ path }) => path === file.path)) return yield* invalid(circle(file, parents))
      const config = known.get(file.path) ?? (yield* parsedFile(file))
      known.set(file.path, config)
      return yield* merged(config, [...parents, file])
    })

  const merged = (config: ValueMap, parents: ReadonlyArray<IncludedFile>): Merged =>
    Effect.gen(function* () {
      const include = at(config, "include")
      if (include === null) return config
      let all: ValueMap = new Map()
      for (const file of yield* locations(include)) all = deepMerge(all, yield* included(file, parents), reading.budget)
      const whole = new Map(deepMerge(all, config, reading.budget))
      whole.delete("include")
      return reading.budget.spend(0) ? whole : yield* tooComplex()
    })

  /** The files that are included, in their order. */
  const locations = Effect.fnUntraced(function* (include: Value) {
    const included: Array<IncludedFile> = []
    for (const location of isList(include) ? include : [include]) {
      if (location !== null) for (const file of yield* located(location)) included.push(file)
    }
    return included
  })

  const located = Effect.fnUntraced(function* (location: Value) {
    const { local, rules } = yield* Effect.fromResult(locationOf(location, reading))
    if (rules !== undefined && !(yield* isIncluded(rules))) return []
    const path = fromRoot(scope.expand(local))
    if (isUrl(path)) return yield* notSupported("remote")
    const found = path.includes("*")
      ? (yield* judge.matchingPaths(path)).map((one) => ({ path: one, written: one }))
      : [{ path, written: fromRoot(local) }]
    return yield* Effect.fromResult(Result.all(found.map(checkedFile)))
  })

  const isIncluded = (rules: ReadonlyArray<Rule>) =>
    Effect.map(judge.firstRule(rules, scope), (rule) => rule !== undefined && rule.when !== "never")

  return Effect.flatMap(parsed(text), (config) => merged(config, []))
}

/** Whether this is not a configuration but says what inputs one takes. */
const isHeader = (config: ValueMap): boolean => {
  const spec = at(config, "spec")
  return isMap(spec) && !spec.has("script")
}

const fromRoot = (path: string): string => path.replace(/^\/+/, "")

const circle = ({ path, written }: IncludedFile, parents: ReadonlyArray<IncludedFile>): string => {
  const [, ...others] = parents.slice(parents.findIndex((parent) => parent.path === path))
  const way = others.length === 0 ? "" : ` by way of ${others.map((other) => `\`${other.written}\``).join(", ")}`
  return `Local file \`${written}\` includes itself${way}!`
}

/** Files beside the configuration, and the rules for them. */
interface Location {
  readonly local: string
  readonly rules?: ReadonlyArray<Rule>
}

const kinds = ["local", "project", "remote", "template", "artifact", "component"]
const kindList = kinds.map((kind) => `\`${kind}\``).join(", ")

const locationOf = (location: Value, reading: Reading): Result.Result<Location, ConfigInvalid> => {
  if (typeof location === "string") return Result.succeed({ local: location })
  if (!isMap(location)) return Result.fail(invalid("Each include must be a hash or a string"))
  const named = kinds.filter((kind) => (location.get(kind) ?? "") !== "")
  const [kind] = named
  if (kind === undefined) {
    const shown = JSON.stringify(toJson(location))
    return Result.fail(invalid(`\`${shown}\` does not have a valid subkey for include. Valid subkeys are: ${kindList}`))
  }
  if (named.length > 1) return Result.fail(invalid(`Each include must use only one of: ${kindList}`))
  return kind === "local" ? localOf(location, reading) : Result.fail(notSupported(kind))
}

const isUrl = (location: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(location)

const notSupported = (kind: string): ConfigInvalid => invalid(`include:${kind} is not supported here`)

const localOf = (location: ValueMap, reading: Reading): Result.Result<Location, ConfigInvalid> => {
  const local = at(location, "local")
  if (location.has("inputs")) return Result.fail(notSupported("inputs"))
  if (typeof local !== "string")
    return Result.fail(invalid(`Included file \`${JSON.stringify(toJson(local))}\` needs to be a string`))
  const rules = at(location, "rules")
  if (rules === null) return Result.succeed({ local })
  const before = reading.faults.length
  const read = readRules(rules, includeRules, { path: "include:rules", reading })
  const [fault] = reading.faults.slice(before)
  return fault === undefined ? Result.succeed({ local, rules: read }) : Result.fail(invalid(fault))
}

const checkedFile = (file: IncludedFile): Result.Result<IncludedFile, ConfigInvalid> =>
  /[^/]\.ya?ml$/i.test(file.path)
    ? Result.succeed(file)
    : Result.fail(invalid(`Included file \`${file.written}\` does not have YAML extension!`))
