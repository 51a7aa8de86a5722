import { Result } from "effect"
import type { Node, Selector, Step, Template } from "./ast.ts"
import type { Budget } from "./budget.ts"
import { type ChangelogFailed, failures } from "./errors.ts"
import type { Sliced } from "./Sliced.ts"
import { isList, isMap, isTrue, printed, type Value } from "./value.ts"

const maxLoops = 4
const charactersOfAStep = 4

/** A body in evaluation: that of a loop once for each of `items`, any other for one. */
interface Frame {
  readonly body: Template
  readonly items: ReadonlyArray<Value>
  readonly isLoop: boolean
  item: number
  node: number
}

/** The text that `template` makes of `data`. Fails at the fifth loop inside loops, and when the steps are used up. */
export const evaluate = function* (
  template: Template,
  data: Value,
  budget: Budget
): Sliced<Result.Result<string, ChangelogFailed>> {
  const output: Array<string> = []
  const frames: Array<Frame> = [frameOf(template, [data], false)]
  let loops = 0
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (budget.pauses()) yield
    const node = nextNode(frame)
    if (!budget.spend(costOf(node))) return Result.fail(failures.templateTimeout())
    if (node === undefined) {
      if (frame.item < frame.items.length) continue
      frames.pop()
      if (frame.isLoop) loops -= 1
      continue
    }
    const scope = frame.items[frame.item] ?? null
    switch (node._tag) {
      case "Text":
        output.push(node.text)
        break
      case "Print": {
        const text = printed(select(node.selector, scope))
        if (!budget.spend(Math.ceil(text.length / charactersOfAStep))) return Result.fail(failures.templateTimeout())
        output.push(text)
        break
      }
      case "If":
        frames.push(frameOf(isTrue(select(node.selector, scope)) ? node.whenTrue : node.whenFalse, [scope], false))
        break
      case "Each": {
        const items = itemsOf(select(node.selector, scope))
        if (items === undefined) break
        if (loops === maxLoops) return Result.fail(failures.loopsTooDeep())
        loops += 1
        frames.push(frameOf(node.body, items, true))
      }
    }
  }
  return Result.succeed(output.join(""))
}

const frameOf = (body: Template, items: ReadonlyArray<Value>, isLoop: boolean): Frame => ({
  body,
  items,
  isLoop,
  item: 0,
  node: 0
})

/** The next node for the current item; undefined at the end of the body, which goes on to the next item. */
const nextNode = (frame: Frame): Node | undefined => {
  if (frame.item >= frame.items.length) return undefined
  const node = frame.body[frame.node]
  if (node === undefined) {
    frame.item += 1
    frame.node = 0
  } else frame.node += 1
  return node
}

const costOf = (node: Node | undefined): number => {
  if (node === undefined) return 1
  return node._tag === "Text" ? 1 + Math.ceil(node.text.length / charactersOfAStep) : 1 + node.selector.length
}

const select = (selector: Selector, scope: Value): Value => selector.reduce(stepped, scope)

const stepped = (value: Value, step: Step): Value => {
  if (step === "it") return value
  if (typeof step === "number") return isList(value) ? (value[step] ?? null) : null
  return isMap(value) ? (value.get(step) ?? null) : null
}

/** What a loop runs over: items of a list, `[key, value]` of a map; undefined for everything else. */
const itemsOf = (value: Value): ReadonlyArray<Value> | undefined => {
  if (isList(value)) return value
  return isMap(value) ? Array.from(value) : undefined
}
