import type { Sent } from "../service.ts"

type Field = string | number | boolean | Fields

/** Parameters that every form can carry: texts, numbers, switches, and objects of these. */
export interface Fields {
  readonly [name: string]: Field
}

const pairsOf = (fields: Fields, outer?: string): ReadonlyArray<readonly [string, string]> =>
  Object.entries(fields).flatMap(([field, value]) => {
    const name = outer === undefined ? field : `${outer}[${field}]`
    return typeof value === "object" ? pairsOf(value, name) : [[name, String(value)] as const]
  })

/** The three ways in which a write may carry its parameters. */
export const requestForms: ReadonlyArray<readonly [name: string, sent: (fields: Fields) => Sent]> = [
  ["JSON", (fields) => ({ json: fields })],
  ["form", (fields) => ({ form: pairsOf(fields) })],
  ["query", (fields) => ({ query: pairsOf(fields) })]
]
