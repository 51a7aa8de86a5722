import { Option, Schema } from "effect"
import { isObjectId } from "../../git/objectId.ts"
import type { EntryType, TreeEntry } from "../../git/objects/tree.ts"

/** The last entry of a page: where it stood, its type and path. */
const Cursor = Schema.Tuple([Schema.Int, Schema.Literals(["tree", "blob", "commit"]), Schema.String])
type Cursor = typeof Cursor.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Cursor))

/** The token of the page behind an entry, which stays valid when the list changes. */
export const tokenAfter = ({ path, type }: TreeEntry, index: number): string => {
  const cursor: Cursor = [index, type, path]
  return Buffer.from(JSON.stringify(cursor)).toString("base64url")
}

const rank: Readonly<Record<EntryType, number>> = { tree: 0, blob: 1, commit: 2 }

type Place = Pick<TreeEntry, "type" | "path">

/** The key by which git orders entries: directories have a slash at their end. */
const sortKey = ({ path, type }: Place): Buffer => Buffer.from(type === "tree" ? `${path}/` : path)

const isAt = (entry: TreeEntry | undefined, { path, type }: Place): boolean => entry?.path === path && entry.type === type

const startBehind = (entries: ReadonlyArray<TreeEntry>, [index, type, path]: Cursor): number => {
  const place = { type, path }
  // Names that are not UTF-8 may look alike, so where it stood comes first.
  if (isAt(entries[index], place)) return index + 1
  const found = entries.findIndex((entry) => isAt(entry, place))
  if (found !== -1) return found + 1
  // There is nothing any more: the first entry behind the place is the next one.
  const key = sortKey(place)
  const next = entries.findIndex((entry) =>
    entry.type === type ? Buffer.compare(sortKey(entry), key) > 0 : rank[entry.type] > rank[type]
  )
  return next === -1 ? entries.length : next
}

/**
 * Index at which the page of a token begins: behind the entry of `tokenAfter`, or behind the first entry with the token as its id.
 * undefined: the token makes no sense.
 */
export const startOf = (entries: ReadonlyArray<TreeEntry>, token: string): number | undefined => {
  if (isObjectId(token)) {
    const found = entries.findIndex(({ id }) => id === token)
    return found === -1 ? undefined : found + 1
  }
  const cursor = Option.getOrUndefined(decode(Buffer.from(token, "base64url").toString("utf8")))
  return cursor === undefined ? undefined : startBehind(entries, cursor)
}
