import { Readable } from "node:stream"
import { Effect } from "effect"
import { JsonStream } from "../http/answer/Reply.ts"

/** A row of a page that may lack its description, of so many bytes. */
export interface MayLackDescription {
  readonly id: number
  readonly description: string | null
  readonly description_octets: number
  readonly description_is_left_out: boolean
}

/** So many bytes of descriptions are read at a time, or one that is longer. */
const maxOctets = 2 * 1024 * 1024
/** So many characters are encoded at a time. */
const pieceLength = 64 * 1024

/** The rows in lists of which each has descriptions that may be read together. */
function* portionsOf<Row extends MayLackDescription>(rows: ReadonlyArray<Row>): Generator<ReadonlyArray<Row>> {
  let portion: Array<Row> = []
  let octets = 0
  for (const row of rows) {
    if (portion.length > 0 && octets + row.description_octets > maxOctets) {
      yield portion
      portion = []
      octets = 0
    }
    portion.push(row)
    octets += row.description_octets
  }
  if (portion.length > 0) yield portion
}

const isFirstOfPair = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00

/** A text as JSON, without its quotes, in pieces that are whole characters. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + pieceLength, text.length)
    if (isFirstOfPair(text.charCodeAt(to - 1))) to++
    yield JSON.stringify(text.slice(from, to)).slice(1, -1)
    from = to
  }
}

/** In the JSON of an object whose description is blank: quotes within texts have a backslash, so that no text of it holds this. */
const blank = '"description":""'

/** The JSON of an object with this description, which is presented with a blank one. */
function* objectTexts(presented: object, description: string | null): Generator<string> {
  const text = JSON.stringify(presented)
  const place = text.indexOf(blank) + blank.length - 2
  yield text.slice(0, place)
  if (description === null) yield "null"
  else {
    yield '"'
    yield* piecesOf(description)
    yield '"'
  }
  yield text.slice(place + 2)
}

interface LongList<Row, B extends object> {
  readonly rows: ReadonlyArray<Row>
  /** What is shown of a row; its description is a field of it. */
  readonly present: (row: Row) => B
  readonly descriptionsOf: (
    rows: ReadonlyArray<Row>
  ) => Effect.Effect<ReadonlyArray<Pick<MayLackDescription, "description" | "id">>>
}

/**
 * A list with long descriptions, which come piece by piece: they are read while the client takes them, so that neither memory nor a turn of
 * the event loop has more than a few. One that is deleted meanwhile is left out.
 */
export const longList = Effect.fnUntraced(function* <Row extends MayLackDescription, B extends object>({
  descriptionsOf,
  present,
  rows
}: LongList<Row, B>) {
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  async function* texts(): AsyncGenerator<string> {
    let separator = "["
    for (const portion of portionsOf(rows)) {
      const read = await run(descriptionsOf(portion.filter((row) => row.description_is_left_out)))
      const descriptions = new Map(read.map(({ description, id }) => [id, description]))
      for (const row of portion) {
        const description = row.description_is_left_out ? descriptions.get(row.id) : row.description
        if (description === undefined) continue
        yield separator
        separator = ","
        yield* objectTexts(present({ ...row, description: "" }), description)
      }
    }
    yield separator === "[" ? "[]" : "]"
  }
  return new JsonStream<ReadonlyArray<B>>(Readable.from(texts(), { objectMode: false }))
})
