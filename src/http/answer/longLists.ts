import { Readable } from "node:stream"
import { Effect } from "effect"
import { mapInSlices } from "../../kernel/inSlices.ts"
import { escapedPieces } from "../../kernel/json/jsonTexts.ts"
import type { Listed } from "./pagination.ts"
import { JsonStream, page, revalidate } from "./Reply.ts"

/** A row of a page that may lack its text, of so many bytes. */
export interface MayLackText {
  readonly id: number
  readonly text_octets: number
  readonly text_is_left_out: boolean
}

/** So many bytes of texts are read at a time, or one that is longer. */
export const maxOctets = 2 * 1024 * 1024

/** The rows in lists of which each has texts that may be read together. */
function* portionsOf<Row extends MayLackText>(rows: ReadonlyArray<Row>): Generator<ReadonlyArray<Row>> {
  let portion: Array<Row> = []
  let octets = 0
  for (const row of rows) {
    if (portion.length > 0 && octets + row.text_octets > maxOctets) {
      yield portion
      portion = []
      octets = 0
    }
    portion.push(row)
    octets += row.text_octets
  }
  if (portion.length > 0) yield portion
}

/** What stands for a value until it is written. Nobody can know it. */
export const placeholder = crypto.randomUUID()

/** The JSON of an object before and behind the placeholder; nothing is behind it where there is none. */
export const aroundPlaceholder = (presented: object): readonly [before: string, after?: string] => {
  const [before = "", after] = JSON.stringify(presented).split(`"${placeholder}"`, 2)
  return after === undefined ? [before] : [before, after]
}

/** The JSON of an object with this text in place of the placeholder; without one it is what it is. */
function* objectTexts(presented: object, text: string | null): Generator<string> {
  const [before, after] = aroundPlaceholder(presented)
  yield before
  if (after === undefined) return
  if (text === null) yield "null"
  else {
    yield '"'
    yield* escapedPieces(text)
    yield '"'
  }
  yield after
}

export interface ReadText {
  readonly id: number
  readonly text: string | null
}

/** Runs what reads texts later, on behalf of the request. */
export const reader = Effect.map(Effect.context<never>(), Effect.runPromiseWith)

/** Where the texts of rows are. */
export interface Texts<Row> {
  readonly of: (row: Row) => string | null
  /** The row with another text. */
  readonly withText: (row: Row, text: string) => Row
  /** Those that were left out, by the ids of their rows. Those that are gone are left out. */
  readonly read: (rows: ReadonlyArray<Row>) => Promise<ReadonlyArray<ReadText>>
}

interface LongList<Row, B extends object> {
  readonly rows: ReadonlyArray<Row>
  readonly present: (row: Row) => B
  readonly texts: Texts<Row>
}

/**
 * The JSON of a list with long texts, without its brackets. It comes piece by piece: the texts are read while the client takes them, so that
 * neither memory nor a turn of the event loop has more than a few. A row that is deleted meanwhile is left out.
 */
export async function* longItems<Row extends MayLackText, B extends object>({
  present,
  rows,
  texts
}: LongList<Row, B>): AsyncGenerator<string> {
  let separator = ""
  for (const portion of portionsOf(rows)) {
    const leftOut = portion.filter((row) => row.text_is_left_out)
    const read = leftOut.length === 0 ? [] : await texts.read(leftOut)
    const byId = new Map(read.map(({ id, text }) => [id, text]))
    for (const row of portion) {
      const text = row.text_is_left_out ? byId.get(row.id) : texts.of(row)
      if (text === undefined) continue
      yield separator
      separator = ","
      yield* objectTexts(present(texts.withText(row, placeholder)), text)
    }
  }
}

/** An answer whose JSON comes piece by piece. */
export const jsonOf = <B>(pieces: AsyncIterable<string>) => new JsonStream<B>(Readable.from(pieces, { objectMode: false }))

/** A list of items that have commas between them already. */
export async function* bracketed(items: AsyncIterable<string>): AsyncGenerator<string> {
  yield "["
  yield* items
  yield "]"
}

/** A page of rows; where their texts are long, they come piece by piece. */
export const pageOfTexts = Effect.fnUntraced(function* <Row extends MayLackText, B extends object>(
  { extent, rows }: Listed<Row>,
  present: (row: Row) => B,
  texts: Texts<Row>
) {
  if (!rows.some((row) => row.text_is_left_out)) return page(yield* mapInSlices(rows, present), extent)
  return { body: jsonOf<ReadonlyArray<B>>(bracketed(longItems({ rows, present, texts }))), extent, headers: revalidate }
})
