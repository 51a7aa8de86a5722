import { type Client, query, type Value } from "./Sql.ts"

/** A statement, or a part of one, with its values apart from its text. */
export class Fragment {
  /** What stands before, between and behind the values and parts. */
  readonly texts: ReadonlyArray<string>
  readonly inserted: ReadonlyArray<Value | Fragment>
  /** Fragments with the same key have the same `texts`. */
  readonly key: unknown

  constructor(texts: ReadonlyArray<string>, inserted: ReadonlyArray<Value | Fragment>, key: unknown) {
    this.texts = texts
    this.inserted = inserted
    this.key = key
  }
}

/** `` sql`p.id = ${id}` ``: values become parameters of the statement, and other parts become parts of this one. */
export const sql = (texts: TemplateStringsArray, ...inserted: ReadonlyArray<Value | Fragment>): Fragment =>
  new Fragment(texts, inserted, texts)

/** A text that is trusted. */
export const raw = (text: string): Fragment => new Fragment([text], [], text)

/** A part that says nothing. */
export const none = raw("")

/** The limit and offset of a page. The limit is part of the text, so that the generic plan is one for few rows. */
export const slice = ({ limit, offset }: { readonly limit: number; readonly offset: number }): Fragment => {
  const size = raw(`limit ${Math.trunc(limit)}`)
  return offset === 0 ? size : sql`${size} offset ${offset}`
}

const joined = (conditions: ReadonlyArray<Fragment | false>, word: string, empty: string): Fragment => {
  const parts = conditions.filter((condition) => condition !== false)
  if (parts.length === 0) return raw(empty)
  return new Fragment(["(", ...parts.slice(1).map(() => `) ${word} (`), ")"], parts, `${parts.length} parts with ${word}`)
}

/** The condition that all of these hold; `false` stands for one that was not asked for. */
export const all = (...conditions: ReadonlyArray<Fragment | false>): Fragment => joined(conditions, "and", "true")

/** The condition that one of these holds. */
export const any = (...conditions: ReadonlyArray<Fragment | false>): Fragment => joined(conditions, "or", "false")

/** The rows of all these statements, one at least. */
export const union = (statements: ReadonlyArray<Fragment>): Fragment =>
  new Fragment(["", ...statements.slice(1).map(() => " union all "), ""], statements, `union of ${statements.length}`)

/** Writes the text of a statement, in which `$1` stands for the first of the values. */
const written = ({ inserted, texts }: Fragment, values: { count: number }): string => {
  let text = texts[0] ?? ""
  for (const [index, one] of inserted.entries()) {
    text += one instanceof Fragment ? written(one, values) : `$${++values.count}`
    text += texts[index + 1] ?? ""
  }
  return text
}

/** Statements with the same keys in the same places have one text. */
interface Shape {
  readonly next: Map<unknown, Shape>
  text?: string
}

/**
 * So many texts are kept, and as many earlier ones; then the earlier ones are forgotten, of which nobody has asked for any since. An `LRUCache`
 * would need one key for a statement, and making that of all its parts would be writing the text, which this saves.
 */
const maxTexts = 512
let shapes: Shape = { next: new Map() }
let earlierShapes: Shape = { next: new Map() }
let textCount = 0
const aValue = Symbol("value")

const nextShape = (shape: Shape, key: unknown): Shape => {
  let next = shape.next.get(key)
  if (next === undefined) {
    next = { next: new Map() }
    shape.next.set(key, next)
  }
  return next
}

/** The shape behind `from` that this fragment leads to; its values are added to `values`. */
const shapeOf = ({ inserted, key }: Fragment, from: Shape, values: Array<Value>): Shape => {
  let shape = nextShape(from, key)
  for (const one of inserted) {
    if (one instanceof Fragment) shape = shapeOf(one, shape, values)
    else {
      values.push(one)
      shape = nextShape(shape, aValue)
    }
  }
  return shape
}

/**
 * The text of a statement, and its values. The text of the same parts is written once and is the same string from then on, of which the
 * engine knows the hash: writing and hashing three kilobytes for each statement takes longer than all else that is done with it here.
 */
const compile = (statement: Fragment): { readonly text: string; readonly values: Array<Value>; readonly repeated: boolean } => {
  const values: Array<Value> = []
  const shape = shapeOf(statement, shapes, values)
  if (shape.text !== undefined) return { text: shape.text, values, repeated: true }
  const known = shapeOf(statement, earlierShapes, []).text
  const text = known ?? written(statement, { count: 0 })
  shape.text = text
  textCount += 1
  if (textCount === maxTexts) {
    earlierShapes = shapes
    shapes = { next: new Map() }
    textCount = 0
  }
  return { text, values, repeated: known !== undefined }
}

/**
 * The rows of a statement. They are taken one by one, because the driver's own list of them stays in memory until the next full
 * collection: V8 keeps instances of classes that are given closures, such as the driver's statements, with all that they refer to.
 */
export const rowsOf = async <Row extends object>(client: Client, statement: Fragment): Promise<ReadonlyArray<Row>> => {
  const { repeated, text, values } = compile(statement)
  let rows: Array<Row> = []
  await client.variant<Row>(text, values, repeated).forEach((row) => {
    rows.push(row)
  })
  const found = rows
  // The statement keeps the closure, and with it this variable.
  rows = []
  return found
}

/** The rows of a statement that has a text for each combination of filters, as those of lists. */
export const select = <Row extends object>(client: Client, statement: Fragment) => query(() => rowsOf<Row>(client, statement))

/** The rows of a page, and the `total` that another statement counts at the same time. */
export const selectPage = <Row extends object>(client: Client, page: { readonly rows: Fragment; readonly count: Fragment }) =>
  query(async () => {
    const [rows, [counted]] = await Promise.all([
      rowsOf<Row>(client, page.rows),
      rowsOf<{ readonly total: number }>(client, page.count)
    ])
    return { rows, total: counted?.total ?? 0 }
  })
