/** One entry as a tree object has it. */
export interface RawEntry {
  /** The mode without leading zeros: `40000`, `100644`, `100755`, `120000`, `160000`; old repositories have others, such as `100664`. */
  readonly mode: string
  readonly name: Buffer
  readonly id: string
}

export const treeMode = "40000"
export const submoduleMode = "160000"

/** Parses the entries in the order of the object. Throws when the bytes are not those of a tree. */
export const parseTree = (content: Buffer): ReadonlyArray<RawEntry> => {
  const entries: Array<RawEntry> = []
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at)
    const nul = content.indexOf(0, space)
    const end = nul + 21
    if (space === -1 || nul === -1 || end > content.length) throw new Error("Not the content of a tree")
    const mode = content.toString("latin1", at, space).replace(/^0+/, "")
    entries.push({ mode, name: content.subarray(space + 1, nul), id: content.toString("hex", nul + 1, end) })
    at = end
  }
  return entries
}

/** `git` sorts a directory as if its name ended in a slash. */
const sortName = ({ mode, name }: RawEntry): Buffer => (mode === treeMode ? Buffer.concat([name, Buffer.from("/")]) : name)

/** The content of a tree object with these entries, in whatever order they come. */
export const formatTree = (entries: ReadonlyArray<RawEntry>): Buffer =>
  Buffer.concat(
    entries
      .map((entry) => ({ entry, key: sortName(entry) }))
      .sort((left, right) => Buffer.compare(left.key, right.key))
      .flatMap(({ entry: { id, mode, name } }) => [Buffer.from(`${mode} `), name, Buffer.from([0]), Buffer.from(id, "hex")])
  )
