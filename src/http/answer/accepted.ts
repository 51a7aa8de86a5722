import { Schema } from "effect"
import { literal } from "./fields.ts"
import { ok } from "./Reply.ts"

const message = "202 Accepted"

/** The body of every answer with 202. */
export const Accepted = Schema.Struct({ message: literal(message, "The status.") }).annotate({ identifier: "Accepted" })

export const accepted = ok({ message })
