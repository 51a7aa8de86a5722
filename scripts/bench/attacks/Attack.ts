/** A user who can sign in. */
export interface Account {
  readonly username: string
  readonly password: string
  readonly token: string
}

/** A project with a repository. */
export interface Hosted {
  readonly id: number
  /** The full path of the project. */
  readonly path: string
}

/** A repository with two commits that are dear to compare. */
export interface Pair {
  readonly from: string
  readonly to: string
}

/** A repository with a long file, a large one, and many branches and tags of its only commit. */
export interface Long extends Hosted {
  readonly tip: string
  /** The path of the long file. */
  readonly file: string
  /** The id of the large file. */
  readonly blob: string
}

/** A project with merge requests, by their numbers. */
export interface Requests {
  readonly project: Hosted
  /** Many of which wait for the same branch, `main`. */
  readonly waiting: ReadonlyArray<number>
  /** Such as can be merged into `release`. */
  readonly mergeable: ReadonlyArray<number>
  /** One that changes thousands of files. */
  readonly large: number
}

/** What is attacked. The projects are the attacker's; all but `pushes` are public. */
export interface Target {
  /** The URL of the interface, such as `http://127.0.0.1:<port>/api/v4`. */
  readonly url: string
  readonly attacker: Account
  /** The tree of its branch `main` expands to ten thousand million files. */
  readonly bomb: Hosted
  /** Between its commits all files move and change. */
  readonly renames: Hosted & Pair
  /** A large history, with commits far apart. */
  readonly history: Hosted & { readonly pairs: ReadonlyArray<Pair> }
  readonly long: Long
  /** An empty repository. */
  readonly pushes: Hosted
  /** Paths below `url`: the dearest request that anybody may make of each endpoint. */
  readonly requests: ReadonlyArray<string>
  /** There are some beside many in other projects, where an attack needs them. */
  readonly mergeRequests?: Requests
}

export interface Attack {
  /** What is done, as the rows call it. */
  readonly title: string
  /** Makes what it needs in its own process, and answers how to attack until that process ends. */
  readonly prepare: (target: Target) => Promise<() => Promise<unknown>>
  /** Whether the innocent caller shows a password to git rather than a token. */
  readonly showsPassword?: true
  /** Whether it asks for everything that anybody may ask for. */
  readonly asksEverything?: true
  /** Whether many merge requests have to be there. */
  readonly needsMergeRequests?: true
  /** Whether the innocent caller asks for archives, too. */
  readonly wantsArchives?: true
}
