import { Result } from "effect"
import { Composer, type Document, isScalar, Lexer, type ParsedNode, Parser } from "yaml"
import type { Budget } from "../Budget.ts"
import { type ConfigInvalid, invalid, tooBig } from "../ConfigInvalid.ts"
import { maxDepth, maxFileLength } from "../limits.ts"
import { isMap, type ValueMap } from "../value.ts"
import { converted } from "./converted.ts"

/** Tokens between two pauses, which take some milliseconds. */
const tokensAtOnce = 2_000

type Read<A> = Result.Result<A, ConfigInvalid>

/**
 * The content of a file, which has to be a map: its first document that is not empty. `tokens` are those that all files may have
 * together.
 */
export const readYaml = function* (text: string, tokens: Budget): Generator<void, Read<ValueMap>, void> {
  if (text.length > maxFileLength) return Result.fail(tooBig())
  const documents = yield* documentsOf(text, tokens)
  return Result.flatMap(documents, (all) => contentOf(text, all))
}

const invalidFormat = invalid("Invalid configuration format")

const contentOf = (text: string, documents: ReadonlyArray<Document.Parsed>): Read<ValueMap> => {
  for (const document of documents) {
    const [error] = document.errors
    if (error !== undefined) return Result.fail(invalid(`Invalid YAML: ${error.message} at ${positionIn(text, error.pos[0])}`))
    const read = converted(document.contents)
    if (Result.isFailure(read)) return Result.fail(read.failure)
    const content = read.success
    if (content === null) continue
    return isMap(content) ? Result.succeed(content) : Result.fail(invalidFormat)
  }
  return Result.fail(invalidFormat)
}

const positionIn = (text: string, offset: number): string => {
  const before = text.slice(0, offset).split("\n")
  return `line ${before.length} column ${(before.at(-1) ?? "").length + 1}`
}

/** Scalars are composed as texts, since the reference reads them in its own way. Keys may stand twice: the last one counts. */
const newComposer = () =>
  new Composer({
    schema: "failsafe",
    uniqueKeys: false,
    logLevel: "silent",
    prettyErrors: false,
    customTags: [{ tag: "!reference", collection: "seq", identify: () => false }]
  })

/** Documents after one that has content, or a fault, are left out. */
const documentsOf = function* (text: string, tokens: Budget): Generator<void, Read<ReadonlyArray<Document.Parsed>>, void> {
  const parser = new Parser()
  const composer = newComposer()
  const documents: Array<Document.Parsed> = []
  let count = 0
  for (const token of new Lexer().lex(text)) {
    if (!tokens.spend(1)) return Result.fail(tooBig())
    for (const piece of parser.next(token)) {
      for (const document of composer.next(piece)) documents.push(document)
      if (documents.some(isEnough)) return Result.succeed(documents)
    }
    // Composing what is deeper would be too, and it is recursive.
    if (parser.stack.length > maxDepth + 1) return Result.fail(tooBig())
    if (++count % tokensAtOnce === 0) yield
  }
  for (const piece of parser.end()) for (const document of composer.next(piece)) documents.push(document)
  for (const document of composer.end()) documents.push(document)
  return Result.succeed(documents)
}

const isEnough = ({ contents, errors }: Document.Parsed): boolean => errors.length > 0 || !isEmpty(contents)

/** What is not there is a plain scalar without characters. */
const isEmpty = (contents: ParsedNode | null): boolean =>
  contents === null || (isScalar(contents) && contents.type === "PLAIN" && contents.source === "")
