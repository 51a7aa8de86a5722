import { git, gitLines } from "./plainGit.ts"

/** What is asked of a repository, evenly spread over it. All ids are full ones. */
export interface GitSamples {
  readonly directories: ReadonlyArray<string>
  /** Each blob has at most one MiB. */
  readonly blobs: ReadonlyArray<string>
  readonly commits: ReadonlyArray<string>
  /** The parents of merges. */
  readonly pairs: ReadonlyArray<readonly [string, string]>
  /** The second reaches a hundred commits that the first does not, or somewhat fewer. */
  readonly ranges: ReadonlyArray<readonly [string, string]>
}

const mebibyte = 1024 * 1024

/** So many of them, with equally many left out between each two. */
export const evenly = <A>(all: ReadonlyArray<A>, count: number): ReadonlyArray<A> => {
  const step = Math.max(1, Math.floor(all.length / count))
  return all.filter((_, index) => index % step === 0).slice(0, count)
}

const blobsOf = async (folder: string, commit: string): Promise<ReadonlyArray<string>> =>
  (await git(folder, "ls-tree", "-r", "-z", "--format=%(objecttype) %(objectname) %(objectsize)", commit))
    .split("\0")
    .map((entry) => entry.split(" "))
    .flatMap(([type, id = "", size]) => (type === "blob" && Number(size) <= mebibyte ? [id] : []))

/** Merged commits; where nothing was ever merged, commits next to each other. */
const pairsOf = async (folder: string, commit: string): Promise<ReadonlyArray<readonly [string, string]>> => {
  const read = (kind: string) => gitLines(folder, "rev-list", "--parents", kind, commit)
  const merges = await read("--merges")
  const lines = merges.length > 0 ? merges : await read("--no-merges")
  return lines.map((line) => line.split(" ")).map(([id = "", first = id, second = id]) => [first, second])
}

const hundred = 100

const rangeTo = async (folder: string, to: string): Promise<readonly [string, string]> => {
  const before = await gitLines(folder, "rev-list", "--first-parent", `--max-count=${hundred + 1}`, to)
  for (const from of before.toReversed()) {
    if (Number(await git(folder, "rev-list", "--count", `${from}..${to}`)) <= hundred) return [from, to]
  }
  return [to, to]
}

export const gitSamples = async (folder: string, commit: string): Promise<GitSamples> => {
  const mainLine = await gitLines(folder, "rev-list", "--first-parent", commit)
  const tos = evenly(mainLine.slice(0, Math.max(1, mainLine.length - hundred)), 5)
  return {
    directories: evenly((await git(folder, "ls-tree", "-r", "-d", "-z", "--name-only", commit)).split("\0").filter(Boolean), 50),
    blobs: evenly(await blobsOf(folder, commit), 50),
    commits: evenly(mainLine, 500),
    pairs: evenly(await pairsOf(folder, commit), 20),
    ranges: await Promise.all(tos.map((to) => rangeTo(folder, to)))
  }
}
