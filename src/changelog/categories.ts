/** An entry of a section, with the texts that it prints. */
export interface Entry {
  /** The value of the trailer. */
  readonly category: string
  readonly title: string
  readonly commit: {
    /** The reference has the form `<group/project>@<40 hex>`. */
    readonly reference: string
    readonly webUrl: string
    readonly trailers: ReadonlyArray<readonly [key: string, value: string]>
  }
  /** It is null when no account owns the e-mail address. */
  readonly author: {
    /** The reference has the form `@<username>`. */
    readonly reference: string
    readonly contributor: boolean
    readonly credit: boolean
  } | null
  readonly mergeRequest: {
    /** The reference has the form `<group/project>!<iid>`. */
    readonly reference: string
    readonly webUrl: string
  } | null
}

export interface Category {
  readonly title: string
  readonly entries: ReadonlyArray<Entry>
}

/**
 * The entries under their titles: first the titles of the configuration in its order, then other values in order of first
 * appearance. Values with one title are one category; empty categories are left out.
 */
export const categoriesOf = (entries: Iterable<Entry>, titles: ReadonlyMap<string, string>): ReadonlyArray<Category> => {
  const byTitle = new Map(Array.from(titles.values(), (title): [string, Array<Entry>] => [title, []]))
  for (const entry of entries) {
    const title = titles.get(entry.category) ?? entry.category
    const known = byTitle.get(title)
    if (known === undefined) byTitle.set(title, [entry])
    else known.push(entry)
  }
  return Array.from(byTitle, ([title, found]) => ({ title, entries: found })).filter(({ entries: found }) => found.length > 0)
}
