import type { Client } from "./Sql.ts"

/** What the server keeps of these texts: a few hundred kB each, on each connection, for as long as that lasts. */
const maxPrepared = 32
const preparedTexts = new WeakMap<Client, Set<string>>()

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
export const prepareUpToLimit = <Statement extends object>(client: Client, statement: Statement): Statement => {
  const text = textOf(statement)
  const prepared = preparedTexts.get(client) ?? new Set()
  preparedTexts.set(client, prepared)
  if (prepared.has(text)) return statement
  if (prepared.size < maxPrepared) prepared.add(text)
  else if ("options" in statement) Object.assign(Object(statement.options), { prepare: false })
  return statement
}
