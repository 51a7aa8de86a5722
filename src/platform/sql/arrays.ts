import { parse } from "postgres-array"

/** One pass for each character to escape: a regular expression that finds both takes ten times as long for a text of many quotes. */
const escaped = (text: string): string => (/["\\]/.test(text) ? text.replaceAll("\\", "\\\\").replaceAll('"', '\\"') : text)

const elementText = (element: unknown): string => (element === null ? "null" : `"${escaped(String(element))}"`)

/** An array as Postgres reads it, such as `{"a","b",null}`. */
const arrayText = (elements: ReadonlyArray<unknown>): string => `{${elements.map(elementText).join(",")}}`

const arraysOf = (id: number, element: (text: string) => unknown) => ({
  to: id,
  from: [id],
  serialize: arrayText,
  parse: (text: string) => parse(text, element)
})

/** Arrays that statements send and read, by the ids that their types have on every server. */
export const arrayTypes = {
  integers: arraysOf(1007, Number),
  texts: arraysOf(1009, String),
  bigintegers: arraysOf(1016, Number),
  uuids: arraysOf(2951, String)
}
