import fc from "fast-check"
import { branches, type SampledRequest, shortTexts, words } from "./sample.ts"
import type { World } from "./world.ts"

/** A filter with a value, told in both languages: as parameters, and as what it means. */
export interface FilterCase {
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
  readonly holds: (request: SampledRequest) => boolean
  /** The titles of labels that do not count for priorities. */
  readonly uncounted?: ReadonlyArray<string>
}

/** Cases of a filter, one for each of some values. */
const casesOf = <V>(
  values: fc.Arbitrary<V>,
  parameters: (value: V) => FilterCase["parameters"],
  holds: (request: SampledRequest, value: V) => boolean
): fc.Arbitrary<FilterCase> =>
  values.map((value) => ({ parameters: parameters(value), holds: (request) => holds(request, value) }))

const statesOf: Readonly<Record<SampledRequest["fate"], string>> = {
  opened: "opened",
  changed: "opened",
  closed: "closed",
  merged: "merged"
}

/** Somebody by an id or a name, in any letter case, who may not exist. */
const somebody = ({ people }: World, prefix: string) =>
  fc
    .tuple(fc.constantFrom(...people, { id: 999_999, username: "nobody" }), fc.boolean(), fc.boolean())
    .map(([{ id, username }, byName, shouts]) => ({
      id,
      isKnown: people.some((person) => person.id === id),
      parameter: byName
        ? ([`${prefix}username`, shouts ? username.toUpperCase() : username] as const)
        : ([`${prefix}id`, String(id)] as const)
    }))

type Among = (request: SampledRequest) => ReadonlyArray<number>

const person = (world: World, role: string, among: Among): fc.Arbitrary<FilterCase> =>
  casesOf(
    somebody(world, `${role}_`),
    ({ parameter }) => [parameter],
    (request, { id }) => among(request).includes(id)
  )

const anyOrNone = (role: string, among: Among): fc.Arbitrary<FilterCase> =>
  casesOf(
    fc.constantFrom("Any", "any", "None", "NONE"),
    (word) => [[`${role}_id`, word]],
    (request, word) => (word.toLowerCase() === "any") === among(request).length > 0
  )

/** A name in brackets. */
const negated = ([name, value]: readonly [string, string]): readonly [string, string] => [`not[${name}]`, value]

const excluded = (world: World) => ({
  "not author": casesOf(
    somebody(world, "author_"),
    ({ parameter }) => [negated(parameter)],
    ({ authorId }, { id }) => authorId !== id
  ),
  "not assignee": casesOf(
    somebody(world, "assignee_"),
    ({ parameter }) => [negated(parameter)],
    ({ assigneeIds }, { id }) => !assigneeIds.includes(id)
  ),
  // Without a reviewer of that name nothing is found.
  "not reviewer": casesOf(
    somebody(world, "reviewer_"),
    ({ parameter }) => [negated(parameter)],
    ({ reviewerIds }, { id, isKnown }) => isKnown && !reviewerIds.includes(id)
  )
})

const times = ({ requests }: World, name: "created" | "updated") => {
  const known = requests.map(({ createdAt, updatedAt }) => (name === "created" ? createdAt : updatedAt))
  const at = fc.tuple(fc.constantFrom(...known), fc.constantFrom(-1, 0, 0, 0, 1)).map(([time, delta]) => time + delta)
  const timeOf = ({ createdAt, updatedAt }: SampledRequest) => (name === "created" ? createdAt : updatedAt)
  const iso = (time: number) => new Date(time).toISOString()
  return {
    [`${name} after`]: casesOf(
      at,
      (time) => [[`${name}_after`, iso(time)]],
      (request, time) => timeOf(request) >= time
    ),
    [`${name} before`]: casesOf(
      at,
      (time) => [[`${name}_before`, iso(time)]],
      (request, time) => timeOf(request) <= time
    )
  }
}

const searchTexts = fc.oneof(
  fc
    .array(fc.constantFrom(...words, "ret", "snakeXcase", "100", "draft:", " "), { minLength: 1, maxLength: 3 })
    .map((some) => some.join(" ")),
  fc.constantFrom(...shortTexts),
  fc.array(fc.constantFrom(...words), { minLength: 2, maxLength: 2 }).map((pair) => `"${pair.join(" ")}"`)
)

/** The words and quoted phrases of a search, and the whole text. */
const searched = (text: string) => {
  const whole = text.trim().split(/\s+/).join(" ")
  const isPhrase = whole.startsWith('"') && whole.endsWith('"')
  const terms = isPhrase ? [whole.slice(1, -1)] : whole.split(" ")
  return { whole, terms: terms.filter((term) => term.length >= 3).map((term) => term.toLowerCase()) }
}

const search = casesOf(
  fc.record({ text: searchTexts, places: fc.constantFrom("", "title", "description", "title,description", "nowhere") }),
  ({ places, text }) => [["search", text], ...(places === "" ? [] : [["in", places] as const])],
  ({ description, title }, { places, text }) => {
    const texts = [places === "description" ? null : title, places === "title" ? null : description]
    const known = texts.filter((one) => one !== null).map((one) => one.toLowerCase())
    const { terms, whole } = searched(text)
    if (whole === "") return true
    if (terms.length === 0) return known.includes(whole.toLowerCase())
    return terms.every((term) => known.some((one) => one.includes(term)))
  }
)

const titles = ["urgent", "bug", "Bug", "idle", "gone", "unknown"]

const hasLabel = ({ labels }: SampledRequest, title: string): boolean => labels.some((label) => label.title === title)

const someTitles = fc.uniqueArray(fc.constantFrom(...titles), { minLength: 1, maxLength: 2 })

const wordOf = fc.constantFrom("Any", "any", "None", "NONE")

const labeling = {
  labels: fc.oneof(
    someTitles.map(
      (wanted): FilterCase => ({
        parameters: [["labels", wanted.join(", ")]],
        holds: (request) => wanted.every((title) => hasLabel(request, title)),
        uncounted: wanted
      })
    ),
    casesOf(
      wordOf,
      (word) => [["labels", word]],
      ({ labels }, word) => (word.toLowerCase() === "any") === labels.length > 0
    )
  ),
  "not labels": casesOf(
    someTitles,
    (unwanted) => [["not[labels]", unwanted.join(",")]],
    (request, unwanted) => !unwanted.some((title) => hasLabel(request, title))
  ),
  milestone: fc.oneof(
    casesOf(
      fc.constantFrom("first", "second", "undated", "gone", "First"),
      (title) => [["milestone", title]],
      ({ milestone }, title) => milestone?.title === title
    ),
    casesOf(
      wordOf,
      (word) => [["milestone", word]],
      ({ milestone }, word) => (word.toLowerCase() === "any") === (milestone !== null)
    )
  ),
  "not milestone": casesOf(
    fc.constantFrom("first", "undated", "gone"),
    (title) => [["not[milestone]", title]],
    ({ milestone }, title) => milestone?.title !== title
  )
}

const draftLike = ["draft - ", "draft:", "[draft]", "(draft)"]

const branch = (name: "source" | "target") =>
  casesOf(
    fc.constantFrom(...branches, "none"),
    (value) => [[`${name}_branch`, value]],
    (request, value) => (name === "source" ? request.sourceBranch : request.targetBranch) === value
  )

/**
 * The filters of lists. Each is tried in combinations with the others, so it asks for parameters that no other one asks for. Whoever adds
 * a filter to the product adds it here, and what it looks at to `Draw` and `SampledRequest`.
 */
export const filtersOf = (world: World): Readonly<Record<string, fc.Arbitrary<FilterCase>>> => ({
  state: casesOf(
    fc.constantFrom("opened", "closed", "merged", "locked", "all", ""),
    (state) => [["state", state]],
    ({ fate }, state) => state === "all" || state === "" || statesOf[fate] === state
  ),
  author: person(world, "author", ({ authorId }) => [authorId]),
  assignee: person(world, "assignee", ({ assigneeIds }) => assigneeIds),
  "any or no assignee": anyOrNone("assignee", ({ assigneeIds }) => assigneeIds),
  reviewer: person(world, "reviewer", ({ reviewerIds }) => reviewerIds),
  "any or no reviewer": anyOrNone("reviewer", ({ reviewerIds }) => reviewerIds),
  "two assignees": casesOf(
    fc.tuple(fc.constantFrom(...world.people), fc.constantFrom(...world.people)),
    (pair) => [["assignee_username", pair.map(({ username }) => username).join(",")]],
    ({ assigneeIds }, pair) => pair.every(({ id }) => assigneeIds.includes(id))
  ),
  ...excluded(world),
  "approved by": casesOf(
    fc.uniqueArray(fc.constantFrom(...world.people), { minLength: 1, maxLength: 2 }),
    (people) => people.map(({ id }) => ["approved_by_ids[]", String(id)]),
    ({ approvedByIds }, people) => people.every(({ id }) => approvedByIds.includes(id))
  ),
  "approved by names": casesOf(
    fc.uniqueArray(fc.constantFrom(...world.people), { minLength: 1, maxLength: 2 }),
    (people) => [["approved_by_usernames", people.map(({ username }) => username).join(",")]],
    ({ approvedByIds }, people) => people.every(({ id }) => approvedByIds.includes(id))
  ),
  "approved by any or none": casesOf(
    fc.constantFrom("Any", "any", "None", "NONE"),
    (word) => [["approved_by_ids", word]],
    ({ approvedByIds }, word) => (word.toLowerCase() === "any") === approvedByIds.length > 0
  ),
  approved: casesOf(
    fc.constantFrom("yes", "no"),
    (word) => [["approved", word]],
    ({ approvedByIds }, word) => (word === "yes") === approvedByIds.length > 0
  ),
  ...labeling,
  merger: person(world, "merge_user", ({ mergedById }) => (mergedById === null ? [] : [mergedById])),
  search,
  "source branch": branch("source"),
  "target branch": branch("target"),
  "source project": casesOf(
    fc.constantFrom(...world.projects.map(({ id }) => id), 999_999),
    (id) => [["source_project_id", String(id)]],
    ({ sourceProjectId }, id) => sourceProjectId === id
  ),
  wip: casesOf(
    fc.constantFrom("yes", "no"),
    (wip) => [["wip", wip]],
    ({ title }, wip) => (wip === "yes") === draftLike.some((prefix) => title.toLowerCase().startsWith(prefix))
  ),
  ...times(world, "created"),
  ...times(world, "updated")
})
