/** `#3`, `#3 and #5`, or `#3, #5, and #8`. */
export const enumerated = (parts: ReadonlyArray<string>): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")}${parts.length > 2 ? "," : ""} and ${parts.at(-1)}`
