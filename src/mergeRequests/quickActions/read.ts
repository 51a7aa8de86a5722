import { codeSpans } from "../text/codeSpans.ts"
import { type TextLine, textLines } from "../text/textLines.ts"
import { type ParseAction, parseAction, type QuickAction } from "./commands.ts"

export interface ReadText {
  /** The text without the lines of its actions. */
  readonly text: string
  /** What they order, in their order. */
  readonly actions: ReadonlyArray<QuickAction>
}

/** Gap: the most actions that one text orders; further lines of this kind stay in it. */
const maxActions = 100
/** In characters. Longer paragraphs, and so longer lines, order nothing. */
const maxParagraph = 2 ** 14
/** Lines that are read between two pauses. */
const linesAtOnce = 500

const mayOrder = (text: string): boolean => text.startsWith("/") || text.includes("\n/")

/** The lines of a paragraph that begin with a slash, outside of code spans. */
const commandLines = (text: string, lines: ReadonlyArray<TextLine>): ReadonlyArray<TextLine> => {
  const [first] = lines
  const last = lines.at(-1)
  if (first === undefined || last === undefined || last.end - first.start > maxParagraph) return []
  if (!lines.some((line) => line.text.startsWith("/"))) return []
  const isCode = codeSpans(text.slice(first.start, last.end))
  return lines.filter((line) => line.text.startsWith("/") && !isCode(line.start - first.start))
}

/** All such lines. What is blank, quoted or no text ends a paragraph. */
function* allCommandLines(text: string): Generator<void, ReadonlyArray<TextLine>, void> {
  const found: Array<TextLine> = []
  let paragraph: Array<TextLine> = []
  let lines = 0
  for (const line of textLines(text)) {
    if (++lines % linesAtOnce === 0) yield
    if (line.isText && line.depth === 0 && line.text !== "") {
      paragraph.push(line)
      continue
    }
    found.push(...commandLines(text, paragraph))
    paragraph = []
  }
  return [...found, ...commandLines(text, paragraph)]
}

/**
 * Reads the quick actions of a text: lines such as `/label ~bug`, not in code, comments or quotes. Lines of unknown commands stay, and so do
 * as many of those that the text before has as it has, because nobody added them. Without actions the text stays as it is; with them, no
 * blank lines remain around it. In linear time, with pauses.
 * Gap: a known command whose argument means nothing is taken out and does nothing.
 */
export function* readingQuickActions(
  text: string,
  before: string,
  parse: ParseAction = parseAction
): Generator<void, ReadText, void> {
  const actions: Array<QuickAction> = []
  if (!mayOrder(text)) return { text, actions }
  const old = new Map<string, number>()
  if (mayOrder(before)) for (const line of yield* allCommandLines(before)) old.set(line.text, (old.get(line.text) ?? 0) + 1)
  const parts: Array<string> = []
  let from = 0
  for (const { end, start, text: line } of yield* allCommandLines(text)) {
    const staying = old.get(line) ?? 0
    if (staying > 0) old.set(line, staying - 1)
    const parsed = staying > 0 || parts.length >= maxActions ? undefined : parse(line)
    if (parsed === undefined) continue
    actions.push(...parsed)
    parts.push(text.slice(from, start))
    from = end
  }
  if (parts.length === 0) return { text, actions }
  const rest = `${parts.join("")}${text.slice(from)}`
  return { text: rest.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd(), actions }
}
