/** A file's new content; null deletes it. `commit` is the id of a submodule's commit. */
export type FileChange =
  | string
  | Uint8Array
  | null
  | { readonly mode: "100644" | "100755" | "120000"; readonly content: string | Uint8Array }
  | { readonly commit: string }

export interface Signature {
  readonly name: string | Uint8Array
  readonly email: string
  /** Seconds since 1970. */
  readonly seconds: number
  /** `+0200`. */
  readonly offset: string
}

/** One commit to make. */
export interface CommitStep<Mark extends string = string> {
  /** Names the commit for later steps and in the answer. */
  readonly mark: Mark
  /** Full name of the ref that moves to it; default `refs/heads/main`. */
  readonly ref?: string
  /** Marks, ids or refs of its parents; default: what the ref is at, if it is there. `[]`: none. */
  readonly parents?: ReadonlyArray<string>
  /** Changes against its first parent. A path may be given in bytes. */
  readonly files?: Readonly<Record<string, FileChange>> | ReadonlyArray<readonly [path: string | Uint8Array, change: FileChange]>
  /** Default: the mark. */
  readonly message?: string | Uint8Array
  readonly author?: Signature
  readonly committer?: Signature
  readonly encoding?: string
}

/** The first commit's time unless it says otherwise; each next is a minute later. */
export const firstCommitSeconds = 1_700_000_000

const bytes = (value: string | Uint8Array): Buffer => (typeof value === "string" ? Buffer.from(value) : Buffer.from(value))
const data = (content: string | Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`data ${bytes(content).length}\n`), bytes(content), Buffer.from("\n")])

/** As git quotes in C style; every byte that is not a plain letter in octal. */
const quoted = (path: string | Uint8Array): string =>
  `"${Array.from(bytes(path), (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}"`

const change = (path: string | Uint8Array, value: FileChange): Buffer => {
  if (value === null) return Buffer.from(`D ${quoted(path)}\n`)
  if (typeof value === "string" || value instanceof Uint8Array) return change(path, { mode: "100644", content: value })
  if ("commit" in value) return Buffer.from(`M 160000 ${value.commit} ${quoted(path)}\n`)
  return Buffer.concat([Buffer.from(`M ${value.mode} inline ${quoted(path)}\n`), data(value.content)])
}

const signature = (role: string, { email, name, offset, seconds }: Signature): Buffer =>
  Buffer.concat([Buffer.from(`${role} `), bytes(name), Buffer.from(` <${email}> ${seconds} ${offset}\n`)])

const person = (name: string, seconds: number): Signature => ({
  name,
  email: `${name.split(" ")[0]?.toLowerCase()}@example.com`,
  seconds,
  offset: "+0200"
})

const isPairs = (
  files: NonNullable<CommitStep["files"]>
): files is ReadonlyArray<readonly [path: string | Uint8Array, change: FileChange]> => Array.isArray(files)

/** The input of `git fast-import` that makes the commits and prints their ids, one a line. */
export const importStream = <Mark extends string>(
  steps: ReadonlyArray<CommitStep<Mark>>,
  isThere: (ref: string) => boolean
): { readonly marks: ReadonlyArray<Mark>; readonly stream: Buffer } => {
  const numbers = new Map<string, number>(steps.map(({ mark }, index) => [mark, index + 1]))
  const refer = (commit: string) => (numbers.has(commit) ? `:${numbers.get(commit)}` : commit)
  const made = new Set<string>()
  const chunks = steps.map((step, index) => {
    const { files = {}, mark, message = mark, parents, ref = "refs/heads/main" } = step
    const seconds = firstCommitSeconds + index * 60
    const { author = person("Ann Author", seconds), committer = person("Carl Committer", seconds) } = step
    // Of its own it only goes on from refs that it made itself.
    const onward = made.has(ref) || !isThere(ref) ? [] : [`${ref}^0`]
    const start = parents === undefined ? [] : [Buffer.from(`reset ${ref}\n\n`)]
    made.add(ref)
    const [first, ...others] = parents ?? onward
    return Buffer.concat([
      ...start,
      Buffer.from(`commit ${ref}\nmark :${index + 1}\n`),
      signature("author", author),
      signature("committer", committer),
      ...(step.encoding === undefined ? [] : [Buffer.from(`encoding ${step.encoding}\n`)]),
      data(message),
      ...(first === undefined ? [] : [Buffer.from(`from ${refer(first)}\n`)]),
      ...others.map((other) => Buffer.from(`merge ${refer(other)}\n`)),
      ...(isPairs(files) ? files : Object.entries(files)).map(([path, value]) => change(path, value)),
      Buffer.from(`\nget-mark :${index + 1}\n`)
    ])
  })
  return { marks: steps.map(({ mark }) => mark), stream: Buffer.concat(chunks) }
}
