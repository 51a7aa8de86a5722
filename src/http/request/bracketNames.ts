import { maxDepth } from "./limits.ts"

const hasBracket = (text: string): boolean => text.includes("[") || text.includes("]")

/**
 * Splits a name such as `a[b][]` into `["a", "b", ""]`, of a deep one as many parts as are one too many. A name whose brackets do not
 * pair up is taken as it is.
 */
export const pathOfName = (name: string): ReadonlyArray<string> => {
  const open = name.indexOf("[")
  if (open <= 0 || !name.endsWith("]")) return [name]
  const path = [name.slice(0, open), ...name.slice(open + 1, -1).split("][", maxDepth)]
  return path.length <= maxDepth && path.some(hasBracket) ? [name] : path
}

/** Arrays and objects made here are the only ones reached here, so they may be changed in place. */
type Node = string | null | undefined | Array<Node> | Fields
interface Fields {
  [name: string]: Node
}

const isFields = (node: Node): node is Fields => typeof node === "object" && node !== null && !Array.isArray(node)

const newFields = (): Fields => Object.create(null)

/** Whether there is a value at `path` below `node`. The end of an array is always free. */
const isSet = (node: Node, path: ReadonlyArray<string>, at: number): boolean => {
  const name = path[at]
  if (name === undefined) return true
  return name !== "" && isFields(node) && name in node && isSet(node[name], path, at + 1)
}

/** Puts `value` at `path` below `node`; a value that contradicts the path is replaced, so the last of several forms wins. */
const withValue = (node: Node, path: ReadonlyArray<string>, at: number, value: string | null): Node => {
  const name = path[at]
  if (name === undefined) return value
  if (name !== "") {
    const fields = isFields(node) ? node : newFields()
    fields[name] = withValue(fields[name], path, at + 1, value)
    return fields
  }
  const list = Array.isArray(node) ? node : []
  const last = list.at(-1)
  // `a[][x]=1&a[][y]=2` is one element with two fields; a repeated name begins the next element.
  if (at + 1 < path.length && isFields(last) && !isSet(last, path, at + 1)) withValue(last, path, at + 1, value)
  else list.push(withValue(undefined, path, at + 1, value))
  return list
}

/** Collects pairs of bracketed names and texts into one object of nested fields. */
export const nestFields = (pairs: Iterable<readonly [path: ReadonlyArray<string>, value: string | null]>): Fields => {
  const fields = newFields()
  for (const [path, value] of pairs) withValue(fields, path, 0, value)
  return fields
}
