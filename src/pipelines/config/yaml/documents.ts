import { Result } from "effect"
import { LRUCache } from "lru-cache"
import type { Budget } from "../Budget.ts"
import { type ConfigInvalid, tooBig } from "../ConfigInvalid.ts"
import { measureOf, type ValueMap } from "../value.ts"
import { readYaml } from "./readYaml.ts"

/** What a file holds, and the tokens that reading it took. */
interface Document {
  readonly content: ValueMap
  readonly tokens: number
}

/** Bytes of all files that are cached, as far as `measureOf` tells. One has 4 MiB at most. */
const maxSize = 16 * 1024 * 1024

const documents = new LRUCache<string, Document>({
  maxSize,
  sizeCalculation: ({ content }, text) => 2 * text.length + measureOf(content).weight
})

/** `readYaml`, from a cache where the same text was read lately, as schedules do at each run. It takes as many tokens as the first time. */
export const readDocument = function* (
  text: string,
  tokens: Budget
): Generator<void, Result.Result<ValueMap, ConfigInvalid>, void> {
  const known = documents.get(text)
  if (known !== undefined) return tokens.spend(known.tokens) ? Result.succeed(known.content) : Result.fail(tooBig())
  const before = tokens.left
  const read = yield* readYaml(text, tokens)
  if (Result.isSuccess(read)) documents.set(text, { content: read.success, tokens: before - tokens.left })
  return read
}
