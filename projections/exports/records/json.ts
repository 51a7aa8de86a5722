/** A time in milliseconds since 1970, an expression, as JSON has it; null for none. */
const time = (millis: string): string =>
  `to_char(to_timestamp(${millis} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A column of a row with the time in it, under another name. */
export const timeUnder = (name: string, alias: string, column: string): string => `${time(`${alias}.${column}`)} as ${name}`

/** A column of a row with the time in it. */
export const timeOf = (alias: string, column: string): string => timeUnder(column, alias, column)

/** The only row of a statement as an object, with its columns in their order; null for none. */
export const object = (statement: string): string => `(select row_to_json(_o) from (${statement}) _o)`

/** The rows of a statement as an array of objects, in their order. */
export const array = (statement: string): string => `(select coalesce(array_to_json(array_agg(_a)), '[]') from (${statement}) _a)`

/** Columns of the type of a collection that is always empty. */
export const none = (...names: ReadonlyArray<string>): string => names.map((name) => `'[]'::json as ${name}`).join(", ")

/** Columns of what the product does not have. */
export const nothing = (...names: ReadonlyArray<string>): string => names.map((name) => `null::json as ${name}`).join(", ")
