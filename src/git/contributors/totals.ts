import type { AuthoredCommit } from "../history/authoredCommits.ts"

/** What one e-mail address, exactly as written, has contributed. */
export interface Contributor {
  readonly email: string
  /** The name of the newest commit that has one which is not blank; empty when none has. */
  readonly name: string
  readonly commits: number
  readonly additions: number
  readonly deletions: number
}

/** A contributor with the commit that gave the name. */
export interface Tally extends Contributor {
  readonly namedAt: number
  readonly namedBy: string
}

const none = { name: "", namedAt: Number.NEGATIVE_INFINITY, namedBy: "" }

/** Compares commits by time, then by id, so that the order in which they are counted does not matter. */
const isNewer = ({ committedAt, id }: AuthoredCommit, { namedAt, namedBy }: Pick<Tally, "namedAt" | "namedBy">) =>
  committedAt > namedAt || (committedAt === namedAt && id > namedBy)

/** Counts that commits are added to and taken from again. */
export class ContributorTotals {
  readonly #tallies: Map<string, Tally>
  /** The addresses whose naming commit was removed. */
  readonly #unnamed = new Set<string>()

  constructor(tallies: ReadonlyArray<Tally> = []) {
    this.#tallies = new Map(tallies.map((tally) => [tally.email, tally]))
  }

  add(commit: AuthoredCommit): void {
    this.#change(commit, 1)
    this.name(commit)
  }

  remove(commit: AuthoredCommit): void {
    this.#change(commit, -1)
    if (this.#tallies.get(commit.email)?.namedBy !== commit.id) return
    this.#unnamed.add(commit.email)
  }

  /** Addresses whose names must be found again: offer all their commits to `name` after `clearNames`. */
  get unnamed(): ReadonlySet<string> {
    return this.#unnamed
  }

  clearNames(): void {
    for (const email of this.#unnamed) {
      const tally = this.#tallies.get(email)
      if (tally !== undefined) this.#tallies.set(email, { ...tally, ...none })
    }
  }

  /** Takes the name of a commit that is counted already, if it is the newest. */
  name(commit: AuthoredCommit): void {
    const tally = this.#tallies.get(commit.email)
    if (tally === undefined || commit.name.trim() === "" || !isNewer(commit, tally)) return
    this.#tallies.set(commit.email, { ...tally, name: commit.name, namedAt: commit.committedAt, namedBy: commit.id })
  }

  /** The tallies are ordered by address. */
  get tallies(): ReadonlyArray<Tally> {
    return [...this.#tallies.values()].sort((a, b) => (a.email < b.email ? -1 : 1))
  }

  #change({ additions, deletions, email }: AuthoredCommit, sign: 1 | -1): void {
    const before = this.#tallies.get(email) ?? { email, ...none, commits: 0, additions: 0, deletions: 0 }
    const after = {
      ...before,
      commits: before.commits + sign,
      additions: before.additions + sign * additions,
      deletions: before.deletions + sign * deletions
    }
    if (after.commits > 0) this.#tallies.set(email, after)
    else {
      this.#tallies.delete(email)
      this.#unnamed.delete(email)
    }
  }
}
