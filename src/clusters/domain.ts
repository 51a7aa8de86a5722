const characters = "contains invalid characters (valid characters: [a-z0-9\\-])"

const labelFaults = (label: string): ReadonlyArray<string> => [
  ...(label.length >= 1 && label.length <= 63 ? [] : ["must be between 1 and 63 characters long"]),
  ...(label.startsWith("-") || label.endsWith("-") ? ["begins or ends with hyphen"] : []),
  ...(/^[a-z0-9-]+$/i.test(label) ? [] : [characters])
]

const tooLong = "must be between 1 and 255 characters long"

/** What is wrong with a host name, each text once; of one that is too long only that. Labels of digits only are fine. */
export const domainFaults = (domain: string): ReadonlyArray<string> => {
  if (domain.length > 255) return [tooLong]
  // A trailing dot is a fault of its own and no empty label.
  const labels = domain.replace(/\.+$/, "").split(".")
  const faults = [
    ...labels.flatMap(labelFaults),
    ...(domain.includes("..") ? ["must not contain consecutive dots"] : []),
    ...(domain.endsWith(".") ? ["must not end with a dot"] : [])
  ]
  return [...new Set(faults)]
}
