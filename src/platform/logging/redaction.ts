/** What stands in place of a secret. */
export const mask = "[REDACTED]"

const secretName = /token|password|secret|credential|authorization|cookie|import_url|^value$|\[value\]$/i

/** Percent-encoded letters spell a name as well: `private%5Ftoken`. What cannot be decoded counts as secret. */
const isSecretName = (encoded: string): boolean => {
  try {
    return secretName.test(decodeURIComponent(encoded))
  } catch {
    return true
  }
}

/** What has the form of a token of this service, as text or in a URL, whatever it is called. */
const ownToken = /glpat(?:-|%2d)[\w%-]{8,}/gi

const redactField = (field: string): string => {
  const end = field.indexOf("=")
  if (end === -1) return field
  const name = field.slice(0, end)
  return isSecretName(name) ? `${name}=${mask}` : field
}

/** A URL or its path and query, without the values of secret query parameters and without credentials before the host. */
export const redactUrl = (url: string): string => {
  const start = url.indexOf("?")
  return redactNames(url, start).replace(ownToken, mask)
}

const redactNames = (url: string, start: number): string => {
  const bare = start === -1 ? url : url.slice(0, start)
  const base = bare.includes("@") ? redactText(bare) : bare
  return start === -1
    ? base
    : `${base}?${url
        .slice(start + 1)
        .split("&")
        .map(redactField)
        .join("&")}`
}

// Each run of letters is looked at once, and repetitions are bounded, so that a long text costs linear time.
const assignment = /(?<![\w%[\].-])([\w%[\].-]{1,128})=[^&\s"'\\]+/g
const secretKey = /token|password|secret/i
const header = /((?:private-token|job-token|authorization)["']?\s{0,4}:\s{0,4}["']?(?:bearer\s{1,4}|basic\s{1,4})?)[^"'\s,\\]+/gi
const bearer = /(\bbearer\s{1,4})[\w.~+/-]+=*/gi
const userInfo = /(\w{1,16}:\/\/)[^/\s@"'\\]{1,256}@/g
const secretPattern = /token|password|secret|authorization|bearer|glpat|@/i

/**
 * Free text, such as the message of an error, without what looks like a secret: values of `…token=`, `…password=`, `…secret=`,
 * tokens in headers, credentials in URLs, and whatever has the form of our own tokens. Never removes a quote or a backslash, so JSON stays JSON.
 */
export const redactText = (text: string): string => {
  if (!secretPattern.test(text)) return text
  return text
    .replace(assignment, (all, name: string) => (secretKey.test(name) ? `${name}=${mask}` : all))
    .replace(header, `$1${mask}`)
    .replace(bearer, `$1${mask}`)
    .replace(userInfo, `$1${mask}@`)
    .replace(ownToken, mask)
}
