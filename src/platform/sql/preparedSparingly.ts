import type { Client } from "./Sql.ts"

/** What the server keeps of these texts: a few hundred kB each, on each connection, for as long as that lasts. */
const maxPrepared = 32
const keptBy = new WeakMap<Client, Set<string>>()

const isStatement = (
  value: unknown
): value is { readonly args: ReadonlyArray<unknown>; readonly strings: ReadonlyArray<string> } =>
  typeof value === "object" && value !== null && "args" in value && "strings" in value

/** With `?` for values. */
const textOf = (value: unknown): string =>
  isStatement(value)
    ? value.strings.map((part, index) => `${index === 0 ? "" : textOf(value.args[index - 1])}${part}`).join("")
    : "?"

/**
 * The statement of this client, prepared if its text is one of the first that came: for texts of which there are many, as those of lists, which
 * differ by their filters. Whoever asks for a list with every combination of them would fill the memory of the server otherwise.
 */
export const preparedSparingly = <Statement extends object>(client: Client, statement: Statement): Statement => {
  const text = textOf(statement)
  const kept = keptBy.get(client) ?? new Set()
  keptBy.set(client, kept)
  if (kept.has(text)) return statement
  if (kept.size < maxPrepared) kept.add(text)
  else if ("options" in statement) Object.assign(Object(statement.options), { prepare: false })
  return statement
}
