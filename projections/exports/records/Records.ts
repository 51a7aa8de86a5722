/**
 * The records of a relation. Each statement answers rows of `record` (its number from 1), `part` (the order of its parts) and `content` for
 * the project `$1`; the first one has one row for each record.
 */
export interface Records {
  readonly relation: string
  readonly statements: ReadonlyArray<string>
}

/** The rows that become records, from a `from` clause on, and their order. */
interface Rows {
  readonly from: string
  readonly order: string
}

/** Each row of `from`, in the order of `order`, as a line of JSON with these columns. */
export const lines = (columns: string, { from, order }: Rows): string => `
  select row_number() over (order by ${order}) as record, 0 as part,
    (select row_to_json(_l) from (select ${columns}) _l)::text || chr(10) as content
  from ${from}`

/** The only row of a statement as an object, without end of line; `null` where there is none. */
export const value = (statement: string): string =>
  `select 1 as record, 0 as part, coalesce((select row_to_json(_v) from (${statement}) _v)::text, 'null') as content`

/** As `lines`, but each is only begun: after these columns comes an array of this name, whose elements are further parts. */
export const openLines = (columns: string, name: string, { from, order }: Rows): string => `
  select row_number() over (order by ${order}) as record, 0 as part,
    left((select row_to_json(_l) from (select ${columns}) _l)::text, -1) || ',"${name}":[' as content
  from ${from}`

/** The ends of lines that are begun, with the columns behind the array. `part` is behind all its elements. */
export const closeLines = (columns: string, part: string, { from, order }: Rows): string => `
  select row_number() over (order by ${order}) as record, ${part} as part,
    '],' || substr((select row_to_json(_l) from (select ${columns}) _l)::text, 2) || chr(10) as content
  from ${from}`
