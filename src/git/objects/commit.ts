import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import { copied } from "../../kernel/characters.ts"
import { defined } from "../../kernel/defined.ts"
import { GitFailed, type Repository } from "../Repository.ts"
import { decodeText } from "./decodeText.ts"
import { Objects } from "./Objects.ts"
import { maxObjectBytes, parseObject } from "./objectHeaders.ts"
import { parseSignature, type Signature } from "./signature.ts"

export interface Commit {
  readonly id: string
  readonly tree: string
  readonly parents: ReadonlyArray<string>
  readonly author: Signature
  readonly committer: Signature
  /** The message as it was written, with trailing line ends. */
  readonly message: string
  /** The unfolded `gpgsig` header: OpenPGP, SSH or X.509. */
  readonly gpgSignature?: string
}

const decoderOf = (label: string): ((bytes: Buffer) => string) => {
  try {
    const decoder = new TextDecoder(label)
    return (bytes) => decoder.decode(bytes)
  } catch {
    return decodeText
  }
}

/** Reads the content of a commit object. An encoding that it names is used where Node knows it. */
export const parseCommit = (id: string, content: Buffer): Commit => {
  const { headers, message } = parseObject(content)
  const valuesOf = (name: string) => headers.filter((header) => header.name === name).map(({ value }) => value)
  const [encoding] = valuesOf("encoding")
  const decode = encoding === undefined ? decodeText : decoderOf(encoding.toString("latin1"))
  const [tree] = valuesOf("tree")
  const signature = (name: string) => parseSignature(decode(valuesOf(name)[0] ?? Buffer.alloc(0)))
  const [gpgSignature] = valuesOf("gpgsig")
  return {
    id,
    tree: tree?.toString("latin1") ?? "",
    parents: valuesOf("parent").map((parent) => parent.toString("latin1")),
    author: signature("author"),
    committer: signature("committer"),
    message: decode(message),
    ...defined({ gpgSignature: gpgSignature?.toString("latin1") })
  }
}

/** A commit by its full id; undefined when there is none. Fails with `exceeded: "output"` for one of more than a mebibyte. */
export const readCommit = Effect.fnUntraced(function* (
  repository: Repository,
  id: string
): Effect.fn.Return<Commit | undefined, GitFailed, Objects> {
  const object = yield* (yield* Objects).read(repository, id, maxObjectBytes)
  return object?.type === "commit" ? parseCommit(object.id, object.content) : undefined
})

/** About the number of bytes of a commit without its texts, the most of one that is cached, and of all of them. */
const [commitBytes, maxCachedBytes, maxCacheBytes] = [500, 64 * 1024, 8 * 1024 * 1024]

const signatureBytes = ({ email, name }: Signature): number => name.length + email.length

/** Whoever pushes a commit chooses how long each of its texts is, and how many parents it has. */
const cachedBytes = ({ author, committer, gpgSignature = "", message, parents }: Commit): number =>
  commitBytes + 64 * parents.length + signatureBytes(author) + signatureBytes(committer) + message.length + gpgSignature.length

/** Commits that were read lately, by repository and id: the same ones are asked for again and again, and never change. */
const cache = new LRUCache<string, Commit>({
  maxSize: maxCacheBytes,
  maxEntrySize: maxCachedBytes,
  sizeCalculation: cachedBytes
})
const keyOf = ({ path }: Repository, id: string): string => `${path} ${id}`

/** A commit by its full id, where it can be told without git. */
export const cachedCommit = (repository: Repository, id: string): Commit | undefined => cache.get(keyOf(repository, id))

/** Lets `cachedCommit` tell commits for a while. */
export const cacheCommits = (repository: Repository, commits: ReadonlyArray<Commit>): void => {
  for (const commit of commits) cache.set(keyOf(repository, commit.id), commit)
}

/** The same as `readCommit` for a commit that a ref keeps, for what is found out of it: where git has removed it since, it may be told nevertheless. */
export const readKeptCommit = Effect.fnUntraced(function* (
  repository: Repository,
  id: string
): Effect.fn.Return<Commit | undefined, GitFailed, Objects> {
  const known = cachedCommit(repository, id)
  if (known !== undefined) return known
  const commit = yield* readCommit(repository, id)
  if (commit !== undefined) cacheCommits(repository, [commit])
  return commit
})

/** The highest number of characters of all messages together, and of commits that are read at a time. */
const [maxTotalLength, concurrency] = [64 * 1024 * 1024, 64]

/** Commits by their full ids, in that order. Ids of no commit are left out. Fails like `readCommit`, also where they are too much together. */
export const readCommits = Effect.fnUntraced(function* (
  repository: Repository,
  ids: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<Commit>, GitFailed, Objects> {
  let text = 0
  const read = Effect.fnUntraced(function* (id: string) {
    const commit = yield* readCommit(repository, id)
    text += commit?.message.length ?? 0
    return text > maxTotalLength ? yield* tooMuch(ids.length) : commit
  })
  const commits = yield* Effect.forEach(ids, read, { concurrency })
  return commits.filter((commit) => commit !== undefined)
})

const tooMuch = (commits: number) =>
  new GitFailed({ command: `cat-file of ${commits} commits`, status: null, stderr: "", exceeded: "output" })

/** What is told of a commit in few characters. */
export interface AbridgedCommit {
  readonly id: string
  /** The author. */
  readonly name: string
  readonly email: string
  readonly isMerge: boolean
  readonly message: string
}

const maxPerson = 1_024
/** Each may have a mebibyte while it is read. */
const abridgedAtOnce = 8

/**
 * Commits by their full ids, in that order, with no more than the first characters of their messages, and nothing that keeps the rest in memory. Ids
 * of no commit, and of those of more than a mebibyte, are left out.
 */
export const readAbridged = Effect.fnUntraced(function* (
  repository: Repository,
  ids: ReadonlyArray<string>,
  maxMessage: number
): Effect.fn.Return<ReadonlyArray<AbridgedCommit>, GitFailed, Objects> {
  const first = (text: string, maximum: number) => copied(text.slice(0, maximum))
  const abridged = ({ author, id, message, parents }: Commit): AbridgedCommit => ({
    id,
    name: first(author.name, maxPerson),
    email: first(author.email, maxPerson),
    isMerge: parents.length > 1,
    message: first(message, maxMessage)
  })
  const read = (id: string) =>
    readCommit(repository, id).pipe(
      Effect.map((commit) => commit && abridged(commit)),
      Effect.catchIf(
        ({ exceeded }) => exceeded === "output",
        () => Effect.undefined
      )
    )
  const commits = yield* Effect.forEach(ids, read, { concurrency: abridgedAtOnce })
  return commits.filter((commit) => commit !== undefined)
})
