interface SentVariable {
  readonly key: string | null
  readonly value: string | null
}

const name = /^[A-Za-z0-9_]+$/

/** What is wrong with variables, in the words of the reference, by attributes of this name; undefined where nothing is. */
export const variableFaults = (variables: ReadonlyArray<SentVariable>, attribute: string) => {
  const keys = variables.map(({ key }) => key ?? "")
  const duplicates = [...new Set(keys.filter((key, index) => keys.indexOf(key) !== index))]
  const texts = [
    ...(keys.some((key) => key === "") ? ["can't be blank"] : []),
    ...(keys.every((key) => name.test(key)) ? [] : ["can contain only letters, digits and '_'."]),
    ...(keys.some((key) => key.length > 255) ? ["is too long (maximum is 255 characters)"] : [])
  ]
  if (texts.length > 0) return { [`${attribute}.key`]: texts }
  return duplicates.length > 0 ? { [attribute]: [`have duplicate values (${duplicates.join(", ")})`] } : undefined
}
