/** Commits as numbers from 0 on, and what is known of them. */
export interface History {
  /** The numbers of commits are lower. */
  readonly size: number
  readonly parents: (commit: number) => ReadonlyArray<number>
  /** The committer's time in seconds since 1970. */
  readonly date: (commit: number) => number
  /** The generation is greater than that of every commit it reaches, and Infinity where it is not known. */
  readonly generation: (commit: number) => number
  /** Whether generations are corrected dates, which are also the best order to visit commits in. */
  readonly hasCorrectedDates: boolean
}

/** The search would have to visit more commits than allowed. */
export class LimitExceeded extends Error {}

/** What an answer may cost, all of its walks together: a step is a commit that is visited, or one of its parents. */
class Budget {
  #left: number
  constructor(steps: number) {
    this.#left = steps
  }
  /** The parents of a commit that is visited. */
  visit({ parents }: History, commit: number): ReadonlyArray<number> {
    const found = parents(commit)
    this.#left -= 1 + found.length
    if (this.#left < 0) throw new LimitExceeded()
    return found
  }
}

const first = 1
const second = 2
const stale = 4
const result = 8

/** The commits to visit next: the greatest by `first`, then by `then`, comes first, and of equals the one that was put first. */
class Queue {
  readonly #commits: Array<number> = []
  /** Each entry has three numbers: its two keys and a counter of insertions. */
  readonly #keys: Array<number> = []
  readonly #history: History
  #count = 0
  constructor(history: History) {
    this.#history = history
  }
  /** Whether the entry at `a` comes before that at `b`. */
  #precedes(a: number, b: number): boolean {
    const keys = this.#keys
    for (let key = 0; key < 3; key++) {
      const [one = 0, other = 0] = [keys[3 * a + key], keys[3 * b + key]]
      if (one !== other) return one > other
    }
    return false
  }
  #swap(a: number, b: number): void {
    const [commits, keys] = [this.#commits, this.#keys]
    const commit = commits[a] ?? 0
    commits[a] = commits[b] ?? 0
    commits[b] = commit
    for (let key = 0; key < 3; key++) {
      const value = keys[3 * a + key] ?? 0
      keys[3 * a + key] = keys[3 * b + key] ?? 0
      keys[3 * b + key] = value
    }
  }
  put(commit: number): void {
    const { date, generation, hasCorrectedDates } = this.#history
    this.#commits.push(commit)
    this.#keys.push(hasCorrectedDates ? generation(commit) : 0, date(commit), -this.#count++)
    for (let at = this.#commits.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.#precedes(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }
  take(): number | undefined {
    const last = this.#commits.length - 1
    if (last < 0) return
    this.#swap(0, last)
    this.#keys.length = 3 * last
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let first = left < last && this.#precedes(left, at) ? left : at
      if (right < last && this.#precedes(right, first)) first = right
      if (first === at) return this.#commits.pop()
      this.#swap(at, first)
      at = first
    }
  }
}

/** Inserts a commit into a list that is newest first, behind those of the same time. */
const insertByDate = ({ date }: History, list: Array<number>, commit: number): void => {
  const at = list.findIndex((other) => date(other) < date(commit))
  list.splice(at === -1 ? list.length : at, 0, commit)
}

/** Commits that both sides reach, newest first, before some of them are seen to reach others: as git's `paint_down_to_common`. */
const paint = (history: History, one: number, others: ReadonlyArray<number>, budget: Budget): ReadonlyArray<number> => {
  const flags = new Uint8Array(history.size)
  /** The number of times that each commit is in the queue. */
  const queued = new Uint16Array(history.size)
  const queue = new Queue(history)
  const found: Array<number> = []
  /** The number of entries of the queue that may still lead to a result. */
  let open = 0

  const flagsOf = (commit: number): number => flags[commit] ?? 0
  const queuedOf = (commit: number): number => queued[commit] ?? 0
  const put = (commit: number, colours: number) => {
    const before = flagsOf(commit)
    const after = before | colours
    flags[commit] = after
    if ((after & stale) === 0) open++
    else if ((before & stale) === 0) open -= queuedOf(commit)
    queued[commit] = queuedOf(commit) + 1
    queue.put(commit)
  }
  put(one, first)
  for (const other of new Set(others)) put(other, second)
  while (open > 0) {
    const commit = queue.take()
    if (commit === undefined) break
    const painted = flagsOf(commit)
    queued[commit] = queuedOf(commit) - 1
    if ((painted & stale) === 0) open--
    let colours = painted & (first | second | stale)
    if (colours === (first | second)) {
      if ((painted & result) === 0) {
        flags[commit] = painted | result
        insertByDate(history, found, commit)
      }
      colours |= stale
    }
    for (const parent of budget.visit(history, commit)) {
      if ((flagsOf(parent) & colours) !== colours) put(parent, colours)
    }
  }
  return found.filter((commit) => (flagsOf(commit) & stale) === 0)
}

const walk = (history: History, ancestor: number, descendant: number, budget: Budget): boolean => {
  const { generation } = history
  const minGeneration = generation(ancestor)
  /** Whether a commit is too low to reach the ancestor; an unknown generation may be anywhere. */
  const isBelow = (commit: number) =>
    commit !== ancestor &&
    (generation(commit) < minGeneration || (generation(commit) === minGeneration && minGeneration < Number.POSITIVE_INFINITY))
  const visited = new Set<number>()
  const stack = [descendant]
  for (let commit = stack.pop(); commit !== undefined; commit = stack.pop()) {
    if (commit === ancestor) return true
    // The first parent is visited first.
    for (const parent of budget.visit(history, commit).toReversed()) {
      if (visited.has(parent) || isBelow(parent)) continue
      visited.add(parent)
      stack.push(parent)
    }
  }
  return false
}

/** Whether the second commit reaches the first; every commit reaches itself. Throws `LimitExceeded` beyond so many steps. */
export const reaches = (history: History, ancestor: number, descendant: number, steps: number): boolean =>
  walk(history, ancestor, descendant, new Budget(steps))

/**
 * The best common ancestors of a commit and a merge of the others: those that no other one reaches, newest first, in the order of
 * `git merge-base --all`. Throws `LimitExceeded` beyond so many steps.
 */
export const commonAncestors = (
  history: History,
  one: number,
  others: ReadonlyArray<number>,
  steps: number
): ReadonlyArray<number> => {
  if (others.includes(one)) return [one]
  const budget = new Budget(steps)
  const found = paint(history, one, others, budget)
  if (found.length < 2) return found
  const best: Array<number> = []
  for (const commit of found) {
    if (!found.some((other) => other !== commit && walk(history, commit, other, budget))) insertByDate(history, best, commit)
  }
  return best
}
