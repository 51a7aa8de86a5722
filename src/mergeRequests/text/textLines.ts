/** A line of Markdown, without the marks of the quotes that it stands in. */
export interface TextLine {
  readonly text: string
  /** How many quotes it stands in. */
  readonly depth: number
  /** Whether it is text, not part of a block of code, a comment, or the fence of one of these or of a quote. */
  readonly isText: boolean
  /** Where the line begins and ends in the whole text, with the line end. */
  readonly start: number
  readonly end: number
}

/** What is open: a fence that its own kind closes, in so many quotes. */
interface Fence {
  readonly mark: string
  readonly depth: number
}

const quoteMarks = /^(?:[ \t]*>)+/
const fence = /^[ \t]*(`{3,}|~{3,})(.*)/s
const comment = "<!--"
/** What may begin a line that is more than text. Most lines do not, and need no closer look. */
const special = /^[ \t]*[>`~<]/

/** The fence that a line opens, whose info string has no backtick where it is one of backticks. */
const opened = (text: string, depth: number): Fence | undefined => {
  if (text.trimStart().startsWith(comment)) return { mark: comment, depth }
  const [, mark, info = ""] = fence.exec(text) ?? []
  return mark === undefined || (mark.startsWith("`") && info.includes("`")) ? undefined : { mark, depth }
}

const closes = (text: string, { mark }: Fence): boolean => {
  if (mark === comment) return text.includes("-->")
  const [, end = "", rest = ""] = fence.exec(text) ?? []
  return end.startsWith(mark) && rest.trim() === ""
}

/**
 * The lines of a text, with what is code, comments and quotes in it. A fence that is never closed reaches to the end, one in a quote to the
 * end of the quote. Gap: fences count however far they are indented, because those in lists are; indentation alone makes no code.
 */
export function* textLines(whole: string): Generator<TextLine> {
  let open: Fence | undefined
  /** Between two lines of `>>>` everything is quoted. */
  let fencedQuotes = 0
  let end = 0
  for (let start = 0; start < whole.length; start = end) {
    const newline = whole.indexOf("\n", start)
    end = newline < 0 ? whole.length : newline + 1
    const line = whole.slice(start, end).trimEnd()
    const isSpecial = special.test(line)
    if (!isSpecial && open === undefined) {
      yield { text: line, depth: fencedQuotes, isText: true, start, end }
      continue
    }
    const [marks = ""] = quoteMarks.exec(line) ?? []
    const text = line.slice(marks.length)
    const quotes = marks.replaceAll(/[ \t]/g, "").length
    if (open !== undefined && quotes < open.depth) open = undefined
    // What is quoted inside of code is code.
    const wasOpen = open !== undefined
    const isQuoteFence = !wasOpen && line === ">>>"
    if (isQuoteFence) fencedQuotes = 1 - fencedQuotes
    open = open === undefined ? opened(text, quotes) : open
    const isText = open === undefined && !isQuoteFence
    if (open !== undefined && (wasOpen || open.mark === comment) && closes(text, open)) open = undefined
    yield { text, depth: quotes + (isQuoteFence ? 0 : fencedQuotes), isText, start, end }
  }
}
