import { Effect, Schema, type SchemaAST, SchemaTransformation } from "effect"
import { isObjectId } from "../../../git/objectId.ts"
import { isBranchName } from "../../../git/refs/refNames.ts"
import { isStorable } from "../../../kernel/characters.ts"
import type { Fault } from "../../../kernel/faults.ts"

/** A value that may be null, and is where it is missing. */
export const orNull = <S extends Schema.Top>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

/** A list, which is empty where it is missing. */
export const list = <S extends Schema.Top>(schema: S) =>
  Schema.Array(schema).pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))

/** A text that can be stored. */
export const Text = Schema.String.pipe(
  Schema.check(Schema.makeFilter((text: string) => (isStorable(text) ? undefined : "a text with NUL or half a character")))
)

/** The name of a branch or a tag, or the full name of a ref. */
export const RefName = Text.pipe(
  Schema.check(Schema.makeFilter((text: string) => (isBranchName(text) ? undefined : "no name of a branch or tag")))
)

/**
 * Refuses what an area would not take from a client. Its faults are told of the fields of the record: `fields` are those that are called otherwise than
 * the attributes of the area.
 */
export const judgedBy = <T>(
  faultsOf: (record: T) => ReadonlyArray<Fault>,
  fields: Readonly<Record<string, string>> = {}
): SchemaAST.Filter<T> =>
  Schema.makeFilter((record: T) =>
    faultsOf(record).map(({ attribute, text }) => ({ path: [fields[attribute] ?? attribute], issue: text }))
  )

/** A truth value, which some services write as a text. */
const TruthText = Schema.NullOr(Schema.Union([Schema.Boolean, Schema.Literals(["0", "1", "true", "false"])]))

const isTrue = (value: typeof TruthText.Type): boolean => value === true || value === "1" || value === "true"

/** A truth value, which is false where it is missing or null. */
export const flag = TruthText.pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({ decode: isTrue, encode: (value): typeof TruthText.Type => value })
  ),
  Schema.withDecodingDefaultKey(Effect.succeed(null))
)

/** The same, which stays null. */
export const truth = TruthText.pipe(
  Schema.decodeTo(
    Schema.NullOr(Schema.Boolean),
    SchemaTransformation.transform({
      decode: (value: typeof TruthText.Type) => (value === null ? null : isTrue(value)),
      encode: (value): typeof TruthText.Type => value
    })
  ),
  Schema.withDecodingDefaultKey(Effect.succeed(null))
)

const guard = <L extends string>(values: ReadonlyArray<L>) => {
  const known = new Set<unknown>(values)
  return (value: unknown): value is L => known.has(value)
}

/** One of these values; another one in place of what is not known here. */
export const among = <const L extends string>(values: ReadonlyArray<L>, instead: NoInfer<L>) => {
  const isKnown = guard(values)
  const decode = (value: unknown): L => (isKnown(value) ? value : instead)
  return Schema.Unknown.pipe(
    Schema.decodeTo(Schema.Literals(values), SchemaTransformation.transform({ decode, encode: (value): unknown => value })),
    Schema.withDecodingDefaultKey(Effect.succeed(null))
  )
}

/** The same with null in place of what is not known here. */
export const amongOrNull = <const L extends string>(values: ReadonlyArray<L>) => {
  const isKnown = guard(values)
  const decode = (value: unknown): L | null => (isKnown(value) ? value : null)
  return Schema.Unknown.pipe(
    Schema.decodeTo(
      Schema.NullOr(Schema.Literals(values)),
      SchemaTransformation.transform({ decode, encode: (value): unknown => value })
    ),
    Schema.withDecodingDefaultKey(Effect.succeed(null))
  )
}

/** The number of something within its project: as large as columns and parameters take it, for numbers go on behind the highest that came. */
export const Iid = Schema.Int.pipe(Schema.check(Schema.isGreaterThanOrEqualTo(1)))

const max = 2 ** 31 - 1

/** A number that a column of the database holds. */
export const Small = Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: -max, maximum: max })))

/** How many there are of something. */
export const Count = Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: max })))

/** The number of a line of a file. */
export const Line = Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: max })))

const isCount = (text: string): boolean => /^\d{1,10}\+?$/.test(text) && Number.parseInt(text, 10) <= max

/** How many there are of something, at least so many where a `+` follows: `1000+`. */
export const CountText = Schema.String.pipe(
  Schema.check(Schema.makeFilter((text: string) => (isCount(text) ? undefined : `no count: ${text}`)))
)

/** The full id of a commit. */
export const ObjectId = Schema.String.pipe(
  Schema.check(Schema.makeFilter((text: string) => (isObjectId(text) ? undefined : `no id of an object: ${text}`)))
)

/** The id of a commit; what is none counts for none, for services keep names in their place too. */
export const Sha = Schema.Unknown.pipe(
  Schema.decodeTo(
    Schema.NullOr(Schema.String),
    SchemaTransformation.transform({
      decode: (value: unknown) => (typeof value === "string" && isObjectId(value) ? value : null),
      encode: (value): unknown => value
    })
  ),
  Schema.withDecodingDefaultKey(Effect.succeed(null))
)

const [earliest, latest] = [Date.parse("0000-01-01T00:00:00.000Z"), Date.parse("9999-12-31T23:59:59.999Z")]

/** Whether a time, in milliseconds since 1970, is of the years 0000 to 9999: no answer tells others. */
export const isTellable = (time: number): boolean => time >= earliest && time <= latest

/** Whether a text begins with a day that there is: `2026-02-31` would be read as a day in March. */
const beginsWithDay = (text: string): boolean => {
  const day = text.slice(0, 10)
  const start = Date.parse(`${day}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(start) && new Date(start).toISOString().startsWith(day)
}

/** A day, such as `2024-08-15`. */
export const Day = Schema.String.pipe(
  Schema.check(Schema.makeFilter((text: string) => (text.length === 10 && beginsWithDay(text) ? undefined : `no day: ${text}`)))
)

/** A time, such as `2024-08-15T11:25:20.423Z`. */
export const Time = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter((text: string) => (beginsWithDay(text) && isTellable(Date.parse(text)) ? undefined : `no time: ${text}`))
  )
)

/** When something was made, and changed last. */
export const times = { created_at: Time, updated_at: Time }

/** The time in milliseconds since 1970. */
export const millis = (time: string): number => Date.parse(time)
