import { Result } from "effect"
import type { Node, Selector, Template } from "./ast.ts"
import type { Budget } from "./budget.ts"
import { type ChangelogFailed, failures } from "./errors.ts"
import { type Piece, pieceAt } from "./lexer.ts"

/** A block that waits for its end. */
interface Open {
  readonly _tag: "Each" | "If"
  readonly selector: Selector
  /** The index at which its tag starts. */
  readonly start: number
  readonly outer: Array<Node>
  /** What stands before its `else`, once that was met. */
  readonly whenTrue: Template | undefined
}

/**
 * Reads a template in one pass, a step for every character and piece, without recursion. Fails with the place of the first
 * piece at the outermost level that cannot be read, as the parser library of the reference does, or when the steps are used up.
 */
export const parse = (source: string, budget: Budget): Result.Result<Template, ChangelogFailed> => {
  const open: Array<Open> = []
  let nodes: Array<Node> = []
  let at = 0
  const failed = (): Result.Result<Template, ChangelogFailed> =>
    Result.fail(failures.templateInvalid(placeOf(source, open[0]?.start ?? at)))

  while (at < source.length) {
    const piece = pieceAt(source, at)
    if (piece === undefined) return failed()
    if (!budget.spend(piece.end - at + 1)) return Result.fail(failures.templateTimeout())
    switch (piece._tag) {
      case "Text":
      case "Print":
        append(nodes, piece)
        break
      case "Each":
      case "If":
        open.push({ _tag: piece._tag, selector: piece.selector, start: at, outer: nodes, whenTrue: undefined })
        nodes = []
        break
      case "Else": {
        const block = open.at(-1)
        if (block === undefined || block._tag === "Each" || block.whenTrue !== undefined) return failed()
        open[open.length - 1] = { ...block, whenTrue: nodes }
        nodes = []
        break
      }
      case "End": {
        const block = open.pop()
        if (block === undefined) return failed()
        block.outer.push(closed(block, nodes))
        nodes = block.outer
      }
    }
    at = piece.end
  }
  return open.length === 0 ? Result.succeed(nodes) : failed()
}

const closed = ({ _tag, selector, whenTrue }: Open, body: Template): Node =>
  _tag === "Each"
    ? { _tag, selector, body }
    : { _tag, selector, whenTrue: whenTrue ?? body, whenFalse: whenTrue === undefined ? [] : body }

/** Neighbouring texts become one. */
const append = (nodes: Array<Node>, piece: Extract<Piece, { _tag: "Text" } | { selector: Selector }>): void => {
  if (piece._tag !== "Text") {
    nodes.push({ _tag: "Print", selector: piece.selector })
    return
  }
  const last = nodes.at(-1)
  if (piece.text === "") return
  if (last?._tag === "Text") nodes[nodes.length - 1] = { _tag: "Text", text: last.text + piece.text }
  else nodes.push({ _tag: "Text", text: piece.text })
}

/** Line and character of an index, both from 1; characters are counted in bytes of UTF-8. */
const placeOf = (source: string, index: number): { readonly line: number; readonly char: number } => {
  const before = source.slice(0, index)
  const lineStart = before.lastIndexOf("\n") + 1
  return { line: before.split("\n").length, char: new TextEncoder().encode(before.slice(lineStart)).length + 1 }
}
