import { contains, holds, searchedWords } from "#projections/search.ts"
import { any, type Fragment, sql } from "#src/platform/sql/fragment.ts"

/**
 * One word without a slash is in a full path or name wherever it is in one of those that they are made of, so only groups below these are
 * walked to, by the index on parents.
 */
const withWord = (word: string): Fragment => sql`
  found(id) as (
    select n.id from rm_namespaces.namespaces n
    where n.kind = 'group' and (${any(holds("lower(n.path)", [word]), holds("lower(n.name)", [word]))})
    union
    select n.id from found join rm_namespaces.namespaces n on n.parent_id = found.id
  )`

const withTitles = (search: string): Fragment => sql`
  titles(id, path, name) as (
    select n.id, n.path, n.name from rm_namespaces.namespaces n where n.parent_id is null and n.kind = 'group'
    union all
    select n.id, titles.path || '/' || n.path, titles.name || ' / ' || n.name
    from titles join rm_namespaces.namespaces n on n.parent_id = titles.id
  ),
  found(id) as (select id from titles where ${any(contains("titles.path", search), contains("titles.name", search))})`

/** The groups with a search in their full path, `a/b`, or in their full name, `A / B`, as the common table `found(id)`. */
export const foundGroups = (search: string): Fragment => {
  const [word, ...others] = searchedWords(search)
  return word === undefined || others.length > 0 || word.includes("/") ? withTitles(search) : withWord(word)
}
