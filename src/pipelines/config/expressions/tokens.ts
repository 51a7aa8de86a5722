import { maxExpressionTokens } from "../limits.ts"

export type Operator = "==" | "!=" | "=~" | "!~" | "&&" | "||"

export type Token =
  | { readonly _tag: "Variable"; readonly name: string }
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Pattern"; readonly literal: string }
  | { readonly _tag: "Null" }
  | { readonly _tag: "Operator"; readonly operator: Operator }
  | { readonly _tag: "Open" }
  | { readonly _tag: "Close" }

interface Lexeme {
  /** Matches at one place of a text. */
  readonly form: RegExp
  readonly token: (matched: RegExpExecArray) => Token
}

const lexemes: ReadonlyArray<Lexeme> = [
  { form: /\(/y, token: () => ({ _tag: "Open" }) },
  { form: /\)/y, token: () => ({ _tag: "Close" }) },
  { form: /\$(\w+)/y, token: ([, name = ""]) => ({ _tag: "Variable", name }) },
  { form: /"([^"\n]*)"|'([^'\n]*)'/y, token: ([, double, single]) => ({ _tag: "Text", text: double ?? single ?? "" }) },
  // A slash after a backslash is one of the pattern.
  { form: /\/(?:[^/\\]|\\.)+\/[ismU]*/sy, token: ([literal]) => ({ _tag: "Pattern", literal: literal.replaceAll("\\/", "/") }) },
  { form: /null/y, token: () => ({ _tag: "Null" }) },
  ...(["==", "=~", "!=", "!~", "&&"] as const).map((operator) => operatorLexeme(operator, new RegExp(operator, "y"))),
  operatorLexeme("||", /\|\|/y)
]

function operatorLexeme(operator: Operator, form: RegExp): Lexeme {
  return { form, token: () => ({ _tag: "Operator", operator }) }
}

/** The tokens of an expression; undefined if something in it is none, or there are too many. */
export const tokensOf = (text: string): ReadonlyArray<Token> | undefined => {
  const tokens: Array<Token> = []
  let position = skipSpace(text, 0)
  while (position < text.length) {
    const next = nextToken(text, position)
    if (next === undefined || tokens.length === maxExpressionTokens) return undefined
    tokens.push(next.token)
    position = skipSpace(text, next.end)
  }
  return tokens
}

const skipSpace = (text: string, from: number): number => {
  const space = /\s*/y
  space.lastIndex = from
  space.test(text)
  return space.lastIndex
}

const nextToken = (text: string, position: number): { readonly token: Token; readonly end: number } | undefined => {
  for (const { form, token } of lexemes) {
    form.lastIndex = position
    const matched = form.exec(text)
    if (matched !== null) return { token: token(matched), end: form.lastIndex }
  }
  return undefined
}
