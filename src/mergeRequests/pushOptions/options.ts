/** What the options of a push ask of the merge requests of its branches. */
export interface MergeRequestOptions {
  /** Whether one is opened for a branch that has none. */
  readonly creates: boolean
  readonly isDraft: boolean
  readonly removesSourceBranch: boolean
  readonly squash: boolean
  readonly target: string | undefined
  /** The full path of the project into which is to be merged. */
  readonly targetProject: string | undefined
  readonly title: string | undefined
  readonly description: string | undefined
  readonly milestone: string | undefined
  readonly labels: ReadonlyArray<string>
  readonly unlabels: ReadonlyArray<string>
  /** People by their user names or ids. */
  readonly assigned: ReadonlyArray<string>
  readonly unassigned: ReadonlyArray<string>
  /** The options that mean nothing here, as they were sent. */
  readonly unknown: ReadonlyArray<string>
}

const matcher = /^(?:merge_request|mr)\.([^=]+)=?(.*)$/s

const known: ReadonlySet<string> = new Set([
  ...["create", "draft", "remove_source_branch", "squash", "target", "target_project"],
  ...["title", "description", "milestone", "label", "unlabel", "assign", "unassign"]
])

/** Reads `merge_request.create`, `merge_request.target=main` and so on, of which `mr.` is short; undefined where there are none. Of a value that is sent twice the last counts. */
export const mergeRequestOptionsOf = (options: ReadonlyArray<string>): MergeRequestOptions | undefined => {
  const sent = options.flatMap((option) => {
    const [, name, value = ""] = matcher.exec(option) ?? []
    return name === undefined ? [] : [{ name, value, option }]
  })
  if (sent.length === 0) return undefined
  const all = (wanted: string) => sent.flatMap(({ name, value }) => (name === wanted && value !== "" ? [value] : []))
  const last = (wanted: string) => all(wanted).at(-1)
  const has = (wanted: string) => sent.some(({ name, value }) => name === wanted && value !== "false")
  return {
    creates: has("create"),
    isDraft: has("draft"),
    removesSourceBranch: has("remove_source_branch"),
    squash: has("squash"),
    target: last("target"),
    targetProject: last("target_project"),
    title: last("title"),
    // A line of an option has no line breaks.
    description: last("description")?.replaceAll("\\n", "\n"),
    milestone: last("milestone"),
    labels: all("label"),
    unlabels: all("unlabel"),
    assigned: all("assign"),
    unassigned: all("unassign"),
    unknown: sent.flatMap(({ name, option }) => (known.has(name) ? [] : [option]))
  }
}
