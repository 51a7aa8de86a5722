import { Schema } from "effect"
import { ok } from "./Reply.ts"

const message = "202 Accepted"

/** The body of every answer with 202. */
export const Accepted = Schema.Struct({ message: Schema.Literal(message) }).annotate({ identifier: "Accepted" })

export const accepted = ok({ message })
