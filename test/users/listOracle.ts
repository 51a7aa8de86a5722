/** A user as the list of users sees one, in plain values. */
export interface Listed {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly email: string
  readonly publicEmail: string | null
  readonly state: "active" | "blocked" | "deactivated" | "banned"
  readonly admin: boolean
  readonly external: boolean
  /** Whether they have a role in any project. */
  readonly hasProject: boolean
  /** As answers show it. */
  readonly createdAt: string
  /** Grows with every change of any user. */
  readonly change: number
}

/** Who asks. */
export type Asker = "administrator" | "user" | "nobody"

/** Parameters of the list as they are sent. */
export interface ListQuery {
  readonly username?: string
  readonly search?: string
  readonly active?: string
  readonly exclude_active?: string
  readonly external?: string
  readonly exclude_external?: string
  readonly blocked?: string
  readonly humans?: string
  readonly exclude_humans?: string
  readonly exclude_internal?: string
  readonly without_project_bots?: string
  readonly without_projects?: string
  readonly admins?: string
  readonly two_factor?: string
  readonly created_after?: string
  readonly created_before?: string
  readonly order_by?: string
  readonly sort?: string
  readonly page?: string
  readonly per_page?: string
}

const isOn = (value: string | undefined): boolean => value === "true"

const holds = (text: string, query: string): boolean => {
  const words = query.split(/\s+/).filter((word) => word.length >= 3)
  const folded = text.toLowerCase()
  return words.length === 0 ? folded === query : words.every((word) => folded.includes(word))
}

const isFound = (user: Listed, search: string, asker: Asker): boolean => {
  const query = search.replace(/^@/, "").toLowerCase()
  const email = asker === "administrator" ? user.email : user.publicEmail
  return holds(user.name, query) || holds(user.username, query) || email === query
}

const matches = (user: Listed, asked: ListQuery, asker: Asker): boolean => {
  const isAdministrator = asker === "administrator"
  const conditions = [
    isAdministrator || !["blocked", "banned"].includes(user.state),
    asked.username === undefined || user.username.toLowerCase() === asked.username.toLowerCase(),
    asked.search === undefined || asked.search === "" || isFound(user, asked.search, asker),
    !isOn(asked.active) || user.state === "active",
    !isOn(asked.exclude_active) || user.state !== "active",
    !isOn(asked.external) || user.external,
    !isOn(asked.exclude_external) || !user.external,
    !isOn(asked.blocked) || user.state === "blocked",
    !isOn(asked.exclude_humans),
    !isAdministrator || !isOn(asked.admins) || user.admin,
    !isAdministrator || !isOn(asked.without_projects) || !user.hasProject,
    !isAdministrator || asked.two_factor !== "enabled",
    !isAdministrator || asked.created_after === undefined || user.createdAt >= asked.created_after,
    !isAdministrator || asked.created_before === undefined || user.createdAt <= asked.created_before
  ]
  return conditions.every((condition) => condition)
}

/** By code points, as the database sorts; JavaScript's own order is that of UTF-16 units. */
const compareTexts = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

const orders: Readonly<Record<string, (one: Listed, other: Listed) => number>> = {
  id: () => 0,
  name: (one, other) => compareTexts(one.name, other.name),
  username: (one, other) => compareTexts(one.username, other.username),
  created_at: () => 0,
  updated_at: (one, other) => one.change - other.change
}

const rank = (user: Listed, query: string): number => {
  if (user.name.toLowerCase() === query) return 0
  if (user.username.toLowerCase() === query) return 1
  return user.email === query ? 2 : 3
}

const byRelevance = (search: string) => (one: Listed, other: Listed) => {
  const query = search.replace(/^@/, "").toLowerCase()
  return rank(one, query) - rank(other, query) || compareTexts(one.name, other.name) || other.id - one.id
}

const inOrder = (users: ReadonlyArray<Listed>, asked: ListQuery): ReadonlyArray<Listed> => {
  if (asked.search && !asked.order_by && !asked.sort) return users.toSorted(byRelevance(asked.search))
  const compare = orders[asked.order_by ?? "id"] ?? (() => 0)
  const ascending = users.toSorted((one, other) => compare(one, other) || one.id - other.id)
  return asked.sort === "asc" ? ascending : ascending.toReversed()
}

/** What the list answers, by the most direct way: the user names of the page, and how many there are in all. */
export const expectedList = (users: ReadonlyArray<Listed>, asked: ListQuery, asker: Asker) => {
  const all = inOrder(
    users.filter((user) => matches(user, asked, asker)),
    asked
  )
  const perPage = Number(asked.per_page ?? 20)
  const start = (Number(asked.page ?? 1) - 1) * perPage
  return { total: all.length, usernames: all.slice(start, start + perPage).map(({ username }) => username) }
}
