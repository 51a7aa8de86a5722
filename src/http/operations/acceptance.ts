/** The weight that a header such as `Accept` gives to `name`, from 0 to 1; undefined where it does not name it. */
const weightOf = (header: string, name: string): number | undefined => {
  for (const range of header.toLowerCase().split(",")) {
    const [named, ...parameters] = range.split(";").map((part) => part.trim())
    if (named !== name) continue
    return Number(parameters.find((each) => each.startsWith("q="))?.slice(2) ?? 1)
  }
  return undefined
}

/** Whether `Accept-Encoding` allows gzip, by its name or by `*`. */
export const allowsGzip = (acceptEncoding = ""): boolean =>
  (weightOf(acceptEncoding, "gzip") ?? weightOf(acceptEncoding, "*") ?? 0) > 0

/** Whether `Accept` names HTML, as browsers do for what they show. */
export const namesHtml = (accept = ""): boolean => (weightOf(accept, "text/html") ?? 0) > 0
