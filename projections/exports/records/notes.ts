import { always, moment, none, nothing, noValue, noValues, object, objectText, plain, timeOf, timeUnder, words } from "./json.ts"
import { awards } from "./shared.ts"

/** The ids that a note names as added or removed, in their order, with the names that they have now. */
const names = (list: "added" | "removed"): string => `array(
  select coalesce(case n.named->>'kind'
      when 'label' then (select _l.title from rm_labels.labels _l where _l.id = _i.id::bigint)
      when 'milestone' then (select _m.title from rm_milestones.milestones _m where _m.id = _i.id::bigint)
      else (select _u.username from rm_users.users _u where _u.id = _i.id::bigint) end,
    case n.named->>'kind' when 'label' then 'deleted label' when 'milestone' then 'deleted milestone' else 'ghost' end)
  from jsonb_array_elements_text(n.named->'${list}') with ordinality _i(id, place) order by _i.place)`

const people = (list: string): string => `(select case when count(*) = 1 then max('@' || _n.name) else
    string_agg('@' || _n.name, ', ' order by _n.place) filter (where _n.place < cardinality(${list}))
    || case when count(*) > 2 then ',' else '' end || ' and @' || ${list}[cardinality(${list})] end
  from unnest(${list}) with ordinality _n(name, place))`

/** The most labels that a note names. */
const maxLabels = 100

const labels = (list: string): string => `(select string_agg(
    case when _n.name ~ '^[A-Za-z0-9_.:-]+$' then '~' || _n.name else '~"' || _n.name || '"' end, ' ' order by _n.place)
    filter (where _n.place <= ${maxLabels})
    || case when count(*) > ${maxLabels} then ' and ' || count(*) - ${maxLabels} || ' more' else '' end
    || case when count(*) = 1 then ' label' else ' labels' end
  from unnest(${list}) with ordinality _n(name, place))`

const both = (added: string, removed: string): string => `concat_ws(' and ',
  case when cardinality(_t.added) > 0 then ${added} end, case when cardinality(_t.removed) > 0 then ${removed} end)`

/** The text of a note of the service that says who or what came and went, as the interface tells it. */
const told = `(select case n.named->>'kind'
    when 'assignee' then ${both(`'assigned to ' || ${people("_t.added")}`, `'unassigned ' || ${people("_t.removed")}`)}
    when 'reviewer' then ${both(
      `'requested review from ' || ${people("_t.added")}`,
      `'removed review request for ' || ${people("_t.removed")}`
    )}
    when 'label' then ${both(`'added ' || ${labels("_t.added")}`, `'removed ' || ${labels("_t.removed")}`)}
    else case when cardinality(_t.added) > 0 then 'changed milestone to %"' || _t.added[1] || '"' else 'removed milestone' end end
  from (select ${names("added")} as added, ${names("removed")} as removed offset 0) _t)`

/** What is not there is not looked for. */
const where = (condition: string, statement: string): string => `case when ${condition} then ${statement} end`

const position = where(
  "n.position is not null",
  object(`select n.position->>'baseSha' as base_sha, n.position->>'startSha' as start_sha,
    n.position->>'headSha' as head_sha, n.position->>'oldPath' as old_path, n.position->>'newPath' as new_path,
    'text' as position_type, (n.position->>'oldLine')::bigint as old_line, (n.position->>'newLine')::bigint as new_line,
    null::json as line_range`)
)

const metadata = object(
  `select null::bigint as commit_count, null::text as action, ${timeOf("n", "created_at")}, ${timeOf("n", "updated_at")}`
)

/** A note, the row `n`. */
const note = (type: "Issue" | "MergeRequest"): string =>
  objectText({
    note: words(`case when n.named is null then n.body else ${told} end`),
    noteable_type: always(`"${type}"`),
    author_id: plain("n.author_id"),
    created_at: moment("n.created_at"),
    updated_at: moment("n.updated_at"),
    project_id: plain("n.project_id"),
    attachment: noValue,
    line_code: words("n.position->>'lineCode'"),
    commit_id: noValue,
    system: plain("n.is_system"),
    st_diff: noValue,
    updated_by_id: noValue,
    position: plain(position),
    original_position: plain(position),
    resolved_at: moment("n.resolved_at"),
    resolved_by_id: plain("n.resolved_by_id"),
    discussion_id: words("n.discussion_id"),
    change_position: noValue,
    resolved_by_push: noValue,
    confidential: plain("n.is_internal"),
    last_edited_at: noValue,
    type: words("case when n.position is not null then 'DiffNote' when n.is_thread then 'DiscussionNote' end"),
    author: plain(object("select _u.name from rm_users.users _u where _u.id = n.author_id")),
    award_emoji: plain(awards("Note", "n.id")),
    system_note_metadata: plain(where("n.is_system", metadata)),
    events: noValues,
    ...(type === "MergeRequest" && { suggestions: noValues, note_diff_file: noValue })
  })

/**
 * The notes of each of these things as parts of its record between its first one, which is 0, and its last one: an array without its brackets.
 * `numbered` is a statement of the things with `record`, `project_id` and `iid`.
 */
export const noteParts = (type: "Issue" | "MergeRequest", noteable: "issue" | "mergeRequest", numbered: string): string => `
  select t.record, row_number() over (partition by t.record order by n.created_at, n.id) as part,
    case when row_number() over (partition by t.record order by n.created_at, n.id) = 1 then '' else ',' end
      || ${note(type)} as content
  from (${numbered}) t
  join rm_notes.notes n on n.project_id = t.project_id and n.noteable_type = '${noteable}' and n.iid = t.iid`

/** Behind all notes of a record. */
export const lastPart = String(2 ** 52)

/** Comments on commits. */
export const commitNoteColumns = `c.note, 'Commit' as noteable_type, c.author_id, ${timeOf("c", "created_at")},
  ${timeUnder("updated_at", "c", "created_at")}, c.project_id, ${nothing("attachment", "line_code")}, c.sha as commit_id, false as system,
  ${nothing("st_diff", "updated_by_id")},
  ${object(`select c.path as new_path, c.line, c.line_type where c.path is not null`)} as position,
  ${nothing("original_position", "resolved_at", "resolved_by_id", "discussion_id", "change_position", "resolved_by_push")},
  false as confidential, ${nothing("last_edited_at", "type")},
  ${object("select _u.name from rm_users.users _u where _u.id = c.author_id")} as author, ${none("award_emoji")},
  ${nothing("system_note_metadata")}, ${none("events")}`
