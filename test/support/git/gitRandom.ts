import type { CommitStep, FileChange } from "./gitImport.ts"

type Files = ReadonlyMap<string, Exclude<FileChange, null>>

/** Whole numbers below a limit, always the same ones for a seed. */
const numbers = (seed: number): ((limit: number) => number) => {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % limit
  }
}

const lines = (count: number, word: string) => Array.from({ length: count }, (_, index) => `${word} ${index}\n`)

/** Names that sort differently as files and as directories. */
const folders = ["", "a/", "a/b/", "a-b/", "a.c/", "ü d/"]
const files = ["f", "a0", "g h", "ö", "-x", "z.txt"]

/** Makes changes to a tree: new files, edits, renames, modes, links, submodules, binary files, removals. */
const changer = (below: (limit: number) => number) => {
  const path = () => `${folders[below(folders.length)]}${files[below(files.length)]}`
  const fresh = (number: number): Exclude<FileChange, null> => {
    const kind = below(12)
    if (kind === 0) return Buffer.from(`\0${number}`)
    if (kind === 1) return { mode: "120000", content: `to ${number}` }
    if (kind === 2) return { commit: number.toString(16).padStart(40, "c") }
    if (kind === 3) return ""
    return lines(5 + below(30), `word${below(4)}`).join("")
  }
  const edited = (text: string, number: number): string => {
    const all = text.split(/(?<=\n)/)
    return all.with(below(all.length), `changed ${number}\n`).join("")
  }
  return (before: Files, number: number): Readonly<Record<string, FileChange>> => {
    const changes: Record<string, FileChange> = {}
    for (let left = 1 + below(3); left > 0; left--) {
      const known = [...before.keys()].filter((each) => changes[each] === undefined)
      const old = known[below(Math.max(1, known.length))]
      const content = old === undefined ? undefined : before.get(old)
      const kind = below(6)
      if (old === undefined || content === undefined || kind < 2) changes[path()] = fresh(number)
      else if (kind === 2) changes[old] = null
      else if (typeof content !== "string" || content === "") changes[old] = fresh(number)
      else if (kind === 3) changes[old] = { mode: "100755", content }
      else if (kind === 4) changes[old] = edited(content, number)
      else {
        changes[old] = null
        changes[`${path()}.moved`] = below(2) === 0 ? content : edited(content, number)
      }
    }
    return changes
  }
}

const applied = (before: Files, changes: Readonly<Record<string, FileChange>>): Files => {
  const after = new Map(before)
  for (const [path, change] of Object.entries(changes)) {
    if (change === null) after.delete(path)
    else after.set(path, change)
  }
  return after
}

/**
 * Commits `c0`, `c1`, … on branches `b0`, `b1`, …: three roots, chains, forks, merges of two and three, criss-cross merges, by five people
 * one of whom changes their name, with times out of order.
 */
export const randomHistory = (count: number, seed: number): ReadonlyArray<CommitStep> => {
  const below = numbers(seed)
  const change = changer(below)
  const trees = new Map<string, Files>()
  const parentsOf = (index: number): ReadonlyArray<string> => {
    const recent = () => `c${Math.max(0, index - 1 - below(8))}`
    const at = index % 20
    if ([0, Math.floor(count / 2), count - 15].includes(index)) return []
    // Two sides that merge each other.
    if (index > 20 && (at === 6 || at === 7)) return [`c${index - 1 - (at - 6)}`]
    if (index > 20 && at === 8) return [`c${index - 2}`, `c${index - 1}`]
    if (index > 20 && at === 9) return [`c${index - 2}`, `c${index - 3}`]
    if (at > 14) return [`c${index - 1}`]
    return [...new Set(Array.from({ length: 1 + (below(3) === 0 ? 1 + below(2) : 0) }, recent))]
  }
  return Array.from({ length: count }, (_, index) => {
    const parents = parentsOf(index)
    const before = trees.get(parents[0] ?? "") ?? new Map()
    const changes = change(before, index)
    trees.set(`c${index}`, applied(before, changes))
    const number = below(5)
    const name = number === 0 ? (["Ann", "Ann B.", " "][below(3)] ?? "") : `Person ${number}`
    const who = { name, email: `p${number}@example.com`, seconds: 1_700_000_000 + below(5000), offset: "+0100" }
    return { mark: `c${index}`, ref: `refs/heads/b${index}`, parents, files: changes, author: who, committer: who }
  })
}
