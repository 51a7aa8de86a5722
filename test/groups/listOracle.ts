/** A group as the oracle knows it. */
export interface KnownGroup {
  readonly id: number
  readonly name: string
  readonly path: string
  readonly parentId: number | null
  readonly visibility: "private" | "internal" | "public"
  /** Levels of its direct members by person. */
  readonly members: Readonly<Record<string, number>>
}

export interface Asker {
  /** Undefined without a token. */
  readonly name: string | undefined
  readonly isAdministrator: boolean
  readonly isExternal: boolean
}

export interface ListQuery {
  readonly search?: string
  readonly owned?: boolean
  readonly visibility?: KnownGroup["visibility"]
  readonly min_access_level?: number
  readonly all_available?: boolean
  readonly top_level_only?: boolean
  readonly skip_groups?: ReadonlyArray<number>
  readonly order_by?: "name" | "path" | "id"
  readonly sort?: "asc" | "desc"
}

/** Whether a text holds each word of a search; one without words of three characters has to be the whole text. */
const holds = (text: string, search: string): boolean => {
  const words = search.split(/\s+/).filter(({ length }) => length >= 3)
  return words.length === 0 ? text === search : words.every((word) => text.includes(word))
}

/** The ids that a list of groups answers, in order: a plain filter over all groups. `below`: only what is below this group. */
export const expectedIds = (
  groups: ReadonlyArray<KnownGroup>,
  asker: Asker,
  asked: ListQuery,
  below?: { readonly id: number; readonly deep: boolean }
): ReadonlyArray<number> => {
  const parentOf = (group: KnownGroup) => groups.find(({ id }) => id === group.parentId)
  const chain = (group: KnownGroup): ReadonlyArray<KnownGroup> => {
    const parent = parentOf(group)
    return parent === undefined ? [group] : [group, ...chain(parent)]
  }
  const role = (group: KnownGroup): number =>
    asker.name === undefined ? 0 : Math.max(0, ...chain(group).map(({ members }) => members[asker.name ?? ""] ?? 0))
  const isRelated = (group: KnownGroup): boolean =>
    role(group) > 0 || groups.some((other) => role(other) > 0 && chain(other).includes(group))
  const isVisible = (group: KnownGroup): boolean =>
    asker.isAdministrator ||
    group.visibility === "public" ||
    (group.visibility === "internal" && asker.name !== undefined && !asker.isExternal) ||
    isRelated(group)
  const isBelow = (group: KnownGroup): boolean => {
    if (below === undefined) return true
    return below.deep
      ? chain(group)
          .slice(1)
          .some(({ id }) => id === below.id)
      : group.parentId === below.id
  }
  const isAllAvailable = asker.name === undefined || (asked.all_available ?? (below === undefined || asker.isAdministrator))
  /** All groups are searched by their full paths and names, those below a group by their own. */
  const isFound = (group: KnownGroup): boolean => {
    if (asked.search === undefined) return true
    const shown = below === undefined ? chain(group).toReversed() : [group]
    const texts = [shown.map(({ path }) => path).join("/"), shown.map(({ name }) => name).join(" / ")]
    return texts.some((text) => holds(text.toLowerCase(), asked.search?.toLowerCase() ?? ""))
  }
  const least = Math.max(asked.owned ? 50 : 0, asked.min_access_level ?? 0)
  const found = groups.filter(
    (group) =>
      isVisible(group) &&
      isBelow(group) &&
      role(group) >= least &&
      (asked.visibility === undefined || group.visibility === asked.visibility) &&
      isFound(group) &&
      (isAllAvailable || isRelated(group)) &&
      (asked.top_level_only !== true || group.parentId === null) &&
      asked.skip_groups?.includes(group.id) !== true
  )
  const key = asked.order_by ?? "name"
  const compare = (one: KnownGroup, other: KnownGroup): number =>
    one[key] === other[key] ? one.id - other.id : one[key] < other[key] ? -1 : 1
  const sorted = found.toSorted(compare)
  return (asked.sort === "desc" ? sorted.toReversed() : sorted).map(({ id }) => id)
}
