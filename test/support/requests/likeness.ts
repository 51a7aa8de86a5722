/** What differs between two runs of the same kind: numbers in texts, places in the log, times, ids of commits and keys, tokens. */
const varying: ReadonlyArray<readonly [RegExp, string]> = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|\+00:00)/g, "<time>"],
  [/glpat-[\w-]+/g, "<token>"],
  [/AAAAC3[A-Za-z0-9+/=]+|([0-9a-f]{2}:){15}[0-9a-f]{2}/g, "<key>"],
  [/\b[\w-]{60,}/g, "<sealed>"],
  [/(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}(?![A-Za-z0-9+/])/g, "<fingerprint>"],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>"],
  // One in 2,600 short ids has no digit.
  [/\b([0-9a-f]{40}|[0-9a-f]{32}|[0-9a-f]{12}|[0-9a-f]{8})\b/g, "<digest>"],
  [/\d+/g, "#"]
]
const varyingNumber =
  /(^|_)(i?id|at|time|duration)s?$|(Id|Iid|At|Time|Duration)s?$|^(claim|from|to|position|rotatedFrom|successor|addedBy|forkedFrom|replaces)$|^expires/
const varyingText = /digest|token|sealed|password|hash|value/i

/** The value with a stand-in for each part that differs between two runs. Matchers stay. */
export const likeness = (value: unknown, name = ""): unknown => {
  if (typeof value === "number") return varyingNumber.test(name) || !Number.isInteger(value) ? "#" : value
  if (typeof value === "string") {
    if (varyingText.test(name)) return "#"
    return varying.reduce((text, [pattern, standIn]) => text.replace(pattern, standIn), value)
  }
  if (Array.isArray(value)) return value.map((each) => likeness(each, name))
  if (typeof value !== "object" || value === null || "asymmetricMatch" in value) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [likeness(key), likeness(inner, key)]))
}
