import type { Selector, Step } from "./ast.ts"
import { afterWhiteSpace } from "./whiteSpace.ts"

/** A piece of a template; `end` is the index after it. */
export type Piece =
  | { readonly _tag: "Text"; readonly text: string; readonly end: number }
  | { readonly _tag: "Print" | "Each" | "If"; readonly selector: Selector; readonly end: number }
  | { readonly _tag: "Else" | "End"; readonly end: number }

type Read<A> = A | undefined

/** The piece at `index`, which is within the text; undefined if none can start there. It looks at no character past the piece more than once. */
export const pieceAt = (text: string, index: number): Read<Piece> => {
  if (text.startsWith("{{", index)) return printAt(text, index)
  if (text.startsWith("{%", index)) return tagAt(text, afterWhiteSpace(text, index + 2))
  return textAt(text, index)
}

/** A backslash joins two lines, or stands for itself before other text. */
const textAt = (text: string, index: number): Read<Piece> => {
  const isEscape = text.charAt(index) === "\\"
  if (isEscape && text.charAt(index + 1) === "\n") return { _tag: "Text", text: "", end: index + 2 }
  const start = isEscape ? index + 1 : index
  let end = start
  while (isTextAt(text, end)) end += 1
  return end === start ? undefined : { _tag: "Text", text: text.slice(index, end), end }
}

const isTextAt = (text: string, index: number): boolean => {
  const character = text.charAt(index)
  if (character === "{") return text.charAt(index + 1) !== "{" && text.charAt(index + 1) !== "%"
  return character !== "" && character !== "\\"
}

const printAt = (text: string, index: number): Read<Piece> => {
  const read = selectorAt(text, afterAll(text, index, "{"))
  if (read === undefined || !text.startsWith("}}", read.end)) return undefined
  return { _tag: "Print", selector: read.selector, end: afterAll(text, read.end, "}") }
}

const afterAll = (text: string, index: number, character: string): number => {
  let end = index
  while (text.charAt(end) === character) end += 1
  return end
}

/** The tag whose word starts at `index`. */
const tagAt = (text: string, index: number): Read<Piece> => {
  if (text.startsWith("if", index)) return blockAt(text, index + 2, "If")
  if (text.startsWith("each", index)) return blockAt(text, index + 4, "Each")
  const _tag = text.startsWith("end", index) ? "End" : text.startsWith("else", index) ? "Else" : undefined
  if (_tag === undefined) return undefined
  const end = closingAt(text, index + (_tag === "End" ? 3 : 4))
  return end === undefined ? undefined : { _tag, end }
}

/** Space or tab, then the selector: a line break right after the word is none. */
const blockAt = (text: string, index: number, _tag: "If" | "Each"): Read<Piece> => {
  if (text.charAt(index) !== " " && text.charAt(index) !== "\t") return undefined
  const read = selectorAt(text, index)
  const end = read === undefined ? undefined : closingAt(text, read.end)
  return read === undefined || end === undefined ? undefined : { _tag, selector: read.selector, end }
}

/** The index after `%}` with the white space before it and the line break right after it. */
const closingAt = (text: string, index: number): Read<number> => {
  const at = afterWhiteSpace(text, index)
  if (!text.startsWith("%}", at)) return undefined
  return text.charAt(at + 2) === "\n" ? at + 3 : at + 2
}

/** A selector with the white space around it. */
const selectorAt = (text: string, index: number): Read<{ readonly selector: Selector; readonly end: number }> => {
  const selector: Array<Step> = []
  let at = afterWhiteSpace(text, index)
  for (;;) {
    const word = wordAt(text, at)
    if (word === "") return undefined
    selector.push(isDigit(word.charAt(0)) ? Number(word) : word)
    at += word.length
    if (text.charAt(at) !== ".") return { selector, end: afterWhiteSpace(text, at) }
    at += 1
  }
}

const maxDigits = 10

/** A name of letters and `_`, or up to ten digits; empty if there is neither. */
const wordAt = (text: string, index: number): string => {
  let end = index
  if (isDigit(text.charAt(index))) {
    while (isDigit(text.charAt(end)) && end - index < maxDigits) end += 1
  } else {
    while (isNameCharacter(text.charAt(end))) end += 1
  }
  return text.slice(index, end)
}

const isDigit = (character: string): boolean => character >= "0" && character <= "9"
const isNameCharacter = (character: string): boolean =>
  (character >= "a" && character <= "z") || (character >= "A" && character <= "Z") || character === "_"
