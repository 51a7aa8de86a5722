import { Result } from "effect"
import { type Coerced, coercionOf, elementsOf, invalid, maxElements, toId, toWordList } from "./coerce.ts"
import { compileGroup } from "./groups.ts"
import type { Decoded, HashListParameter, HashParameter, Parameter, ParameterGroup, ParameterTable } from "./parameters.ts"
import { isFields, type RawParameters } from "./rawParameters.ts"
import { compileRules } from "./rules.ts"

/** Validates one parameter of `raw`: its value is put into `decoded`, what is wrong with it at the end of `texts`. */
type Step = (raw: RawParameters, decoded: Record<string, unknown>, texts: Array<string>) => void

/** The names of parameters, and of fields of theirs, that are ids. */
const namesId = /(?:^|_)id$|^id_(?:after|before)$/

type Scalar = Exclude<Parameter, HashParameter | HashListParameter>

/**
 * The decoder of an endpoint's parameters. It fails with the texts of all violated rules in declaration order.
 * Names that the table does not know are ignored. Absent parameters without a default stay absent; an explicit null stays
 * null where there is no default. Compile once per table: the decoder itself runs on every request. `pathNames` are those of the
 * parameters that stand in the path.
 */
export const compileParameters = <T extends ParameterTable>(
  table: T,
  groups: ReadonlyArray<ParameterGroup> = [],
  pathNames: ReadonlySet<string> = new Set()
): ((raw: RawParameters) => Result.Result<Decoded<T>, ReadonlyArray<string>>) => {
  const steps = compileSteps(table, groups, pathNames)
  return (raw) => {
    const decoded: Record<string, unknown> = {}
    const texts: Array<string> = []
    for (const step of steps) step(raw, decoded, texts)
    // The steps were made from the table and no text means that each put a value of its parameter's type.
    return texts.length === 0 ? Result.succeed(decoded as Decoded<T>) : Result.fail(texts)
  }
}

/** Decodes once; for repeated use compile the table. */
export const decodeParameters = <T extends ParameterTable>(
  table: T,
  groups: ReadonlyArray<ParameterGroup>,
  raw: RawParameters
): Result.Result<Decoded<T>, ReadonlyArray<string>> => compileParameters(table, groups)(raw)

const compileSteps = (
  table: ParameterTable,
  groups: ReadonlyArray<ParameterGroup>,
  pathNames: ReadonlySet<string>
): ReadonlyArray<Step> => {
  const compile = (name: string, parameter: Parameter): Step =>
    parameter.kind === "integer" && pathNames.has(name)
      ? compileScalar(name, parameter, undefined, toId)
      : compileParameter(name, parameter, undefined)
  const groupsBefore = (name: string) => groups.filter(({ before }) => before === name)
  const groupsAtEnd = groups.filter(({ before }) => before === undefined || !Object.hasOwn(table, before))
  return [
    ...Object.entries(table).flatMap(([name, parameter]) => [
      ...groupsBefore(name).map((group) => groupStep(group)),
      compile(name, parameter)
    ]),
    ...groupsAtEnd.map((group) => groupStep(group))
  ]
}

const groupStep = (group: ParameterGroup, outer?: string): Step => {
  const textOf = compileGroup(group, (name) => labelOf(name, outer))
  return (raw, _, texts) => {
    const text = textOf(raw)
    if (text !== undefined) texts.push(text)
  }
}

const compileParameter = (name: string, parameter: Parameter, outer: string | undefined): Step => {
  if (parameter.kind === "hash") return compileHash(name, parameter, outer)
  if (parameter.kind === "hashList") return compileHashList(name, parameter, outer)
  if (parameter.kind === "integer" && namesId.test(name)) return compileScalar(name, parameter, outer, toId)
  const isWords = parameter.kind === "stringList" && parameter.values !== undefined
  return compileScalar(name, parameter, outer, isWords ? toWordList : coercionOf(parameter.kind))
}

const labelOf = (name: string, outer: string | undefined): string => (outer === undefined ? name : `${outer}[${name}]`)

const compileScalar = (
  name: string,
  parameter: Scalar,
  outer: string | undefined,
  coerce: (raw: unknown) => Coerced<unknown>
): Step => {
  const label = labelOf(name, outer)
  const rules = compileRules(label, parameter, outer !== undefined)
  const initial = "default" in parameter ? parameter.default : undefined
  const isRequiredList = parameter.required && (parameter.kind === "stringList" || parameter.kind === "integerList")
  const whenNull = initial ?? (isRequiredList ? [] : null)
  const isMissingAlone = parameter.kind === "string" && parameter.missingIsEmpty === false
  const acceptsBlankChoice = parameter.kind === "string" && parameter.values !== undefined && parameter.allowBlank === true
  return (raw, decoded, texts) => {
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined
    if (value === undefined) {
      if (parameter.required) {
        texts.push(`${label} is missing`)
        if (!isMissingAlone) rules?.(undefined, texts)
      } else if (initial !== undefined) decoded[name] = initial
      return
    }
    const coerced = coerce(value)
    if (coerced === invalid) {
      // The other rules judge what was sent, so one mistake may give two texts.
      texts.push(`${label} is invalid`)
      rules?.(value, texts)
      return
    }
    // A blank among fixed values, where allowed, means that none was chosen.
    const normalized = acceptsBlankChoice && coerced === "" ? null : coerced
    const result = normalized === null ? whenNull : normalized
    decoded[name] = result
    rules?.(result, texts)
  }
}

const none: RawParameters = Object.freeze({})

const compileHash = (name: string, parameter: HashParameter, outer: string | undefined): Step => {
  const label = labelOf(name, outer)
  const fields = Object.entries(parameter.fields)
  const steps = [
    ...fields.map(([field, inner]) => compileParameter(field, inner, label)),
    ...(parameter.groups ?? []).map((group) => groupStep(group, label))
  ]
  const requiredFields = fields.filter(([, inner]) => inner.required).map(([field]) => labelOf(field, label))
  const decodeFields = (raw: RawParameters, decoded: Record<string, unknown>, texts: Array<string>) => {
    const inner: Record<string, unknown> = {}
    for (const step of steps) step(raw, inner, texts)
    decoded[name] = inner
  }
  return (raw, decoded, texts) => {
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined
    if (value === undefined) {
      if (!parameter.required) return
      texts.push(`${label} is missing`)
      return decodeFields(none, decoded, texts)
    }
    // Gap: an optional `{}` is checked like any other object; the reference lets it pass without its required fields.
    if (isFields(value)) return decodeFields(value, decoded, texts)
    if (value === null && parameter.required) return decodeFields(none, decoded, texts)
    if (value === null) {
      decoded[name] = null
      return
    }
    texts.push(`${label} is invalid`)
    // Gap: the reference looks for the fields in each element of an array; one text says it all.
    if (Array.isArray(value) || (value === "" && !parameter.required)) return
    for (const field of requiredFields) texts.push(`${field} is missing`, `${field} is invalid`)
  }
}

const compileHashList = (name: string, parameter: HashListParameter, outer: string | undefined): Step => {
  const label = labelOf(name, outer)
  const fields = Object.entries(parameter.fields)
  const element = (raw: unknown, index: number, texts: Array<string>): Readonly<Record<string, unknown>> => {
    const inner: Record<string, unknown> = {}
    const place = `${label}[${index}]`
    if (!isFields(raw)) texts.push(`${place} is invalid`)
    // Labels name the element, so the steps are made for it.
    else for (const [field, each] of fields) compileParameter(field, each, place)(raw, inner, texts)
    return inner
  }
  return (raw, decoded, texts) => {
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined
    if (value === undefined || value === null) {
      if (parameter.required) texts.push(`${label} is missing`)
      return
    }
    const elements = value === "" ? [] : elementsOf(value)
    if (elements === invalid || elements.length > maxElements) texts.push(`${label} is invalid`)
    else decoded[name] = elements.map((each, index) => element(each, index, texts))
  }
}
