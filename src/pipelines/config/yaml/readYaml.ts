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
  const document = yield* firstDocument(text, tokens)
  yield
  return Result.flatMap(document, (found) => (found === undefined ? invalidFormat() : contentOf(text, found)))
}

const invalidFormat = (): Read<ValueMap> => Result.fail(invalid("Invalid configuration format"))

const contentOf = (text: string, { contents, errors: [error] }: Document.Parsed): Read<ValueMap> => {
  if (error !== undefined) return Result.fail(invalidYaml(text, error.message, error.pos[0]))
  return Result.flatMap(converted(contents), (content) => (isMap(content) ? Result.succeed(content) : invalidFormat()))
}

const invalidYaml = (text: string, fault: string, offset: number): ConfigInvalid =>
  invalid(`Invalid YAML: ${fault} at ${positionIn(text, offset)}`)

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

type Found = Document.Parsed | undefined

/** The first document that has content, or a fault. */
const firstDocument = function* (text: string, tokens: Budget): Generator<void, Read<Found>, void> {
  const parser = new Parser()
  const composer = newComposer()
  let count = 0
  for (const token of new Lexer().lex(text)) {
    if (!tokens.spend(1)) return Result.fail(tooBig())
    for (const piece of parser.next(token)) {
      // Going on would find one after the other.
      if (piece.type === "error") return Result.fail(invalidYaml(text, piece.message, piece.offset))
      const found = enoughOf(composer.next(piece))
      if (found !== undefined) return Result.succeed(found)
    }
    // Composing what is deeper would be too, and it is recursive.
    if (parser.stack.length > maxDepth + 1) return Result.fail(tooBig())
    if (++count % tokensAtOnce === 0) yield
  }
  for (const piece of parser.end()) {
    const found = enoughOf(composer.next(piece))
    if (found !== undefined) return Result.succeed(found)
  }
  return Result.succeed(enoughOf(composer.end()))
}

const enoughOf = (documents: Iterable<Document.Parsed>): Found => {
  for (const document of documents) if (isEnough(document)) return document
  return undefined
}

const isEnough = ({ contents, errors }: Document.Parsed): boolean => errors.length > 0 || !isEmpty(contents)

/** What is not there is a plain scalar without characters. */
const isEmpty = (contents: ParsedNode | null): boolean =>
  contents === null || (isScalar(contents) && contents.type === "PLAIN" && contents.source === "")
