import { Result } from "effect"
import { type Alias, isAlias, isMap as isMapNode, isScalar, isSeq, type ParsedNode, type Scalar, type YAMLMap } from "yaml"
import { isStorable } from "../../../kernel/characters.ts"
import { type ConfigInvalid, invalid, tooBig } from "../ConfigInvalid.ts"
import { maxDepth, maxFileWeight } from "../limits.ts"
import { isList, isMap, measureOf, type Value, type ValueMap } from "../value.ts"
import { plainValue } from "./scalars.ts"

/** What a document holds, its aliases and merge keys followed. An alias stands for the very same value as its anchor. */
export const converted = (contents: ParsedNode | null): Result.Result<Value, ConfigInvalid> => {
  const conversion: Conversion = { anchors: new Map(), fault: undefined, copied: 0 }
  const value = convert(contents, conversion)
  return conversion.fault === undefined ? Result.succeed(value) : Result.fail(conversion.fault)
}

interface Conversion {
  readonly anchors: Map<string, Value>
  /** The first thing that is wrong; what is converted after it does not count. */
  fault: ConfigInvalid | undefined
  /** Entries that merge keys have copied. */
  copied: number
}

const failed = (conversion: Conversion, fault: ConfigInvalid): Value => {
  conversion.fault ??= fault
  return null
}

const convert = (node: ParsedNode | null, conversion: Conversion): Value => {
  if (node === null || conversion.fault !== undefined) return null
  if (isAlias(node)) return aliased(node.source, conversion)
  const value = withoutAnchor(node, conversion)
  if (isTooBig(value)) return failed(conversion, tooBig())
  if (node.anchor !== undefined) conversion.anchors.set(node.anchor, value)
  return value
}

const isTooBig = (value: Value): boolean => {
  if (typeof value !== "object") return false
  const { depth, weight } = measureOf(value)
  return depth > maxDepth || weight > maxFileWeight
}

const aliased = (name: string, conversion: Conversion): Value =>
  conversion.anchors.get(name) ?? (conversion.anchors.has(name) ? null : failed(conversion, invalid(`Unknown alias: ${name}`)))

const withoutAnchor = (node: Exclude<ParsedNode, Alias.Parsed>, conversion: Conversion): Value => {
  if (isScalar(node)) return storable(scalarOf(node), conversion)
  if (isMapNode(node)) return mapOf(node, conversion)
  if (!isSeq(node)) return null
  const items = node.items.map((item) => convert(item, conversion))
  return node.tag === "!reference" ? { reference: items } : items
}

/** Jobs take over texts of the configuration, which are stored. */
const storable = (value: Value, conversion: Conversion): Value =>
  typeof value !== "string" || isStorable(value) ? value : failed(conversion, invalid(unstorable))

const unstorable = "Invalid YAML: a text contains NUL or half of a surrogate pair"

const coreTag = "tag:yaml.org,2002:"

const scalarOf = ({ source = "", tag, type, value }: Scalar): Value => {
  const text = typeof value === "string" ? value : source
  if (tag === "!reference") return { reference: text }
  if (tag === "!" || tag === `${coreTag}str`) return text
  return type === "PLAIN" || tag?.startsWith(coreTag) ? plainValue(text) : text
}

const mapOf = ({ items, tag }: YAMLMap.Parsed, conversion: Conversion): Value => {
  const entries = new Map<string, Value>()
  for (const { key, value } of items) {
    if (isMergeKey(key)) merge(convert(value, conversion), entries, conversion)
    else entries.set(keyOf(key, conversion), convert(value, conversion))
  }
  return tag === "!reference" ? { reference: entries } : entries
}

const isMergeKey = (key: ParsedNode): boolean => isScalar(key) && key.type === "PLAIN" && key.value === "<<"

const keyOf = (key: ParsedNode, conversion: Conversion): string => {
  const value = convert(key, conversion)
  if (typeof value !== "object" || value === null) return String(value ?? "")
  failed(conversion, invalid("Invalid configuration format"))
  return ""
}

/** Takes the place of what stands before it in the map; the first of several maps counts. */
const merge = (source: Value, entries: Map<string, Value>, conversion: Conversion): void => {
  const sources = isList(source) ? source.toReversed() : [source]
  if (!sources.every(isMap)) entries.set("<<", source)
  else for (const map of sources) copy(map, entries, conversion)
}

const copy = (map: ValueMap, entries: Map<string, Value>, conversion: Conversion): void => {
  conversion.copied += map.size
  if (conversion.copied > maxMerged) {
    failed(conversion, tooBig())
    return
  }
  for (const [key, value] of map) entries.set(key, value)
}

/** Entries that the merge keys of a document may copy. */
const maxMerged = 200_000
