import { Result } from "effect"
import { Composer, type Document, isMap, isScalar, isSeq, Lexer, type ParsedNode, Parser, type Scalar } from "yaml"
import type { Budget } from "./template/budget.ts"
import type { Value } from "./template/value.ts"

export type YamlProblem = "Invalid" | "TooLarge"

type Read<A> = Result.Result<A, YamlProblem>

const stepsOfAToken = 20
/** Deeper values are refused, since composing them is recursive. */
const maxDepth = 100

const invalid = Result.fail<YamlProblem>("Invalid")

/**
 * The first document of a text in YAML 1.1, null if there is none. Aliases, tags beyond those of JSON, times and symbols
 * (`:name`) are invalid. A character costs a step, a token twenty.
 */
export const readYaml = (text: string, budget: Budget): Read<Value> => {
  if (!budget.spend(text.length)) return Result.fail("TooLarge")
  return Result.flatMap(firstDocument(text, budget), (document) => {
    if (document === undefined) return Result.succeed(null)
    return document.errors.length > 0 ? invalid : converted(document.contents)
  })
}

const firstDocument = (text: string, budget: Budget): Read<Document.Parsed | undefined> => {
  const parser = new Parser()
  const composer = new Composer({ version: "1.1", uniqueKeys: false })
  for (const token of new Lexer().lex(text)) {
    if (!budget.spend(stepsOfAToken)) return Result.fail("TooLarge")
    for (const piece of parser.next(token)) {
      for (const document of composer.next(piece)) return Result.succeed(document)
    }
    if (parser.stack.length > maxDepth) return invalid
  }
  for (const piece of parser.end()) {
    for (const document of composer.next(piece)) return Result.succeed(document)
  }
  for (const document of composer.end()) return Result.succeed(document)
  return Result.succeed(undefined)
}

const plainTags: ReadonlyArray<string> = [
  "!",
  ...["str", "int", "float", "bool", "null", "map", "seq"].map((name) => `tag:yaml.org,2002:${name}`)
]

const converted = (node: ParsedNode | null): Read<Value> => {
  if (node === null) return Result.succeed(null)
  if (node.tag !== undefined && !plainTags.includes(node.tag)) return invalid
  if (isScalar(node)) return scalarOf(node)
  if (isSeq(node)) return Result.map(allOf(node.items), (items): Value => items)
  return isMap(node) ? mapOf(node.items) : invalid
}

const allOf = (nodes: ReadonlyArray<ParsedNode>): Read<ReadonlyArray<Value>> => Result.all(nodes.map(converted))

const mapOf = (pairs: ReadonlyArray<{ readonly key: ParsedNode; readonly value: ParsedNode | null }>): Read<Value> =>
  Result.gen(function* () {
    const entries = new Map<string, Value>()
    for (const { key, value } of pairs) {
      yield* converted(key)
      // Keys are texts as written, so that `no` or `1.10` names a category.
      const name = isScalar(key) ? key.source : undefined
      const item = yield* converted(value)
      if (name !== undefined) entries.set(name, item)
    }
    return entries
  })

const scalarOf = ({ value, type, source }: Scalar): Read<Value> => {
  if (type === "PLAIN" && source !== undefined && /^:./.test(source)) return invalid
  // Only whole words are booleans, not `y` and `n`.
  if (typeof value === "boolean") return Result.succeed(source?.length === 1 ? source : value)
  if (typeof value === "string" || typeof value === "number") return Result.succeed(value)
  return value === null || value === undefined ? Result.succeed(null) : invalid
}
