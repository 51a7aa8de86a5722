import type { Token } from "markdown-it"
import { paragraph } from "./escapeHtml.ts"
import { decorate } from "./links.ts"
import { BudgetExceeded, parserFor } from "./parser.ts"

/** How much longer than its text an answer may be: what is quoted, escaped and linked grows, but tables and references grow without end. */
const maxGrowth = 16
const minAnswer = 10_000

/** About how long the answer is for a token, without what escaping adds to it. */
const lengthOf = ({ attrs, children, content, markup, tag }: Token): number => {
  const own = 2 * tag.length + markup.length + (children === null ? content.length : 0)
  const attributes = (attrs ?? []).reduce((sum, [name, value]) => sum + name.length + `${value}`.length + 4, 0)
  return own + attributes + (children ?? []).reduce((sum, child) => sum + lengthOf(child), 0)
}

const markdown = (text: string): string => {
  const parser = parserFor(text)
  const tokens = parser.parse(text, {})
  for (const token of tokens) for (const each of [token, ...(token.children ?? [])]) decorate(each)
  const length = tokens.reduce((sum, token) => sum + lengthOf(token), 0)
  if (length > Math.max(minAnswer, maxGrowth * text.length)) throw new BudgetExceeded()
  return parser.renderer.render(tokens, parser.options, {}).trimEnd()
}

/** HTML of a text in Markdown; one that is too dear, or whose HTML would be too long, is one paragraph without Markdown. Takes up to a tenth of a second. */
export const render = (text: string): string => {
  try {
    return markdown(text)
  } catch (failure) {
    if (failure instanceof BudgetExceeded) return paragraph(text)
    throw failure
  }
}
