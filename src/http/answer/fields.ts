import { Schema } from "effect"

// What attributes of bodies hold, each with the text that the OpenAPI document has for it.

const moment = Schema.String.annotate({ format: "date-time" })
const date = Schema.String.annotate({ format: "date" })

export const text = (description: string) => Schema.String.annotate({ description })
export const nullableText = (description: string) => Schema.NullOr(Schema.String).annotate({ description })
export const url = (description: string) => Schema.String.annotate({ description, format: "uri" })
export const integer = (description: string) => Schema.Int.annotate({ description })
export const nullableInteger = (description: string) => Schema.NullOr(Schema.Int).annotate({ description })
export const flag = (description: string) => Schema.Boolean.annotate({ description })
export const nullableFlag = (description: string) => Schema.NullOr(Schema.Boolean).annotate({ description })
export const literal = <L extends string | boolean>(value: L, description: string) =>
  Schema.Literal(value).annotate({ description })
export const nothing = (description: string) => Schema.Null.annotate({ description })
/** A date and time in ISO 8601. */
export const time = (description: string) => moment.annotate({ description })
export const nullableTime = (description: string) => Schema.NullOr(moment).annotate({ description })
/** A day in ISO 8601. */
export const nullableDay = (description: string) => Schema.NullOr(date).annotate({ description })
