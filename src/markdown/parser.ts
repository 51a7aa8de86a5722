import MarkdownIt, { type MarkdownIt as Parser } from "markdown-it"
import { isHarmless } from "./links.ts"

/**
 * So many places of a text are looked at for the beginning of a block or of an element: some texts make markdown-it come back to the same
 * place again and again. Texts of people of the greatest length need a fifth of it.
 */
const maxSteps = 100_000
/** Twenty levels of lists, which take two each. Every level makes brackets that close nothing dearer. */
const maxNesting = 40

/** A text is made to be slow. */
export class BudgetExceeded extends Error {}

let stepsLeft = 0

/** A rule that is asked at each place before all others, and never holds. */
const countStep = (): false => {
  if (stepsLeft-- <= 0) throw new BudgetExceeded()
  return false
}

const createParser = (): Parser => {
  const parser = new MarkdownIt({ html: false, linkify: true, maxNesting })
  parser.validateLink = isHarmless
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false }).add("//", null)
  parser.block.ruler.before("table", "steps", countStep, { alt: ["paragraph", "reference", "blockquote", "list"] })
  parser.inline.ruler.before("text", "steps", countStep)
  return parser
}

const withTables = createParser()
const withoutTables = createParser().disable("table")

/** Rows of a table get as many cells as its widest line has, so the cells of a hostile one are many more than its characters. */
const mayHaveTable = (text: string): boolean => {
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const widest = lines.reduce((most, line) => Math.max(most, line.split("|").length), 0)
  return widest > 1 && widest * lines.length <= text.length
}

/** The parser for a text, which fails with `BudgetExceeded`. */
export const parserFor = (text: string): Parser => {
  stepsLeft = maxSteps
  return mayHaveTable(text) ? withTables : withoutTables
}
