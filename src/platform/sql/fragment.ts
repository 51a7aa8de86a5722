import { type Client, query } from "./Sql.ts"

type Value = string | number | boolean | null | ReadonlyArray<string> | ReadonlyArray<number>

/** A statement, or a part of one, with its values apart from its text. */
export class Fragment {
  /** What stands before, between and behind the values and parts. */
  readonly texts: ReadonlyArray<string>
  readonly inserted: ReadonlyArray<Value | Fragment>

  constructor(texts: ReadonlyArray<string>, inserted: ReadonlyArray<Value | Fragment>) {
    this.texts = texts
    this.inserted = inserted
  }
}

/** `` sql`p.id = ${id}` ``: values become parameters of the statement, and other parts become parts of this one. */
export const sql = (texts: TemplateStringsArray, ...inserted: ReadonlyArray<Value | Fragment>): Fragment =>
  new Fragment(texts, inserted)

/** A text that is trusted. */
export const raw = (text: string): Fragment => new Fragment([text], [])

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
  return new Fragment(["(", ...parts.slice(1).map(() => `) ${word} (`), ")"], parts)
}

/** The condition that all of these hold; `false` stands for one that was not asked for. */
export const all = (...conditions: ReadonlyArray<Fragment | false>): Fragment => joined(conditions, "and", "true")

/** The condition that one of these holds. */
export const any = (...conditions: ReadonlyArray<Fragment | false>): Fragment => joined(conditions, "or", "false")

/** The rows of all these statements, one at least. */
export const union = (statements: ReadonlyArray<Fragment>): Fragment =>
  new Fragment(["", ...statements.slice(1).map(() => " union all "), ""], statements)

/** The text of a statement, in which `$1` stands for the first of the values, which are added to `values`. */
const textOf = ({ inserted, texts }: Fragment, values: Array<Value>): string => {
  let text = texts[0] ?? ""
  for (const [index, one] of inserted.entries()) {
    text += one instanceof Fragment ? textOf(one, values) : `$${values.push(one)}`
    text += texts[index + 1] ?? ""
  }
  return text
}

/** What the server keeps of prepared texts: a few hundred kB each, on each connection, for as long as that lasts. */
const maxPrepared = 32
const preparedBy = new WeakMap<Client, Set<string>>()

/** Whether the text is one of the first that came to this client. */
const isPrepared = (client: Client, text: string): boolean => {
  const known = preparedBy.get(client) ?? new Set()
  preparedBy.set(client, known)
  if (!known.has(text) && known.size < maxPrepared) known.add(text)
  return known.has(text)
}

const run = <Row extends object>(client: Client, statement: Fragment) => {
  const values: Array<Value> = []
  const text = textOf(statement, values)
  // The driver would send what has no values by the simple protocol, in which nothing is prepared.
  const options = { prepare: isPrepared(client, text), simple: false }
  return client.unsafe<Array<Row>>(text, values, options)
}

/**
 * The rows of a statement that has a text for each combination of filters, as those of lists. Each client keeps the first texts
 * prepared: whoever asked for all combinations would fill the memory of the server otherwise.
 */
export const select = <Row extends object>(client: Client, statement: Fragment) => query(() => run<Row>(client, statement))

/** The rows of a page, and the `total` that another statement counts at the same time. */
export const selectPage = <Row extends object>(client: Client, page: { readonly rows: Fragment; readonly count: Fragment }) =>
  query(async () => {
    const [rows, [counted]] = await Promise.all([
      run<Row>(client, page.rows),
      run<{ readonly total: number }>(client, page.count)
    ])
    const found: ReadonlyArray<Row> = rows
    return { rows: found, total: counted?.total ?? 0 }
  })
