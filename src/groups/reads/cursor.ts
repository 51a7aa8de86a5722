import { Option, Schema } from "effect"
import type { GroupKey } from "../Queries.ts"

const Key = Schema.fromJsonString(
  Schema.Struct({ value: Schema.Union([Schema.String, Schema.Int]), id: Schema.Int.check(Schema.isGreaterThan(0)) })
)
const decode = Schema.decodeUnknownOption(Key)

/** A text that leads to what comes behind a group. */
export const cursorOf = (key: GroupKey): string => Buffer.from(JSON.stringify(key)).toString("base64url")

/** The group that a cursor names; null for what is no cursor. */
export const keyOf = (cursor: string): GroupKey | null =>
  Option.getOrNull(
    Option.filter(decode(Buffer.from(cursor, "base64url").toString()), ({ value }) => !String(value).includes("\0"))
  )
