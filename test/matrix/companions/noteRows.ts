import { type Grid, grid } from "../grid.ts"
import { finding } from "../mergeRequestRights.ts"
import { reading } from "../rights.ts"
import type { Row } from "../row.ts"
import type { InProject } from "../useWorld.ts"

/** Who writes notes about merge requests. */
const writing = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   401        404project  404project  404project  404    ok        ok         ok          ok     ok
  internal  401        404project  ok          ok          ok     ok        ok         ok          ok     ok
  public    401        ok          ok          ok          ok     ok        ok         ok          ok     ok
  archived  401        403         403         403         403    403       403        403         403    403
  members   401        404         404         404         404    ok        ok         ok          ok     ok
  disabled  401        404         404         404         404    404       404        404         404    404
`

/** Who resolves the threads of others. */
const resolving = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   401        404project  404project  404project  404    403       ok         ok          ok     ok
  internal  401        404project  403         403         403    403       ok         ok          ok     ok
  public    401        403         403         403         403    403       ok         ok          ok     ok
  archived  401        403         403         403         403    403       403        403         403    403
  members   401        404         404         404         404    403       ok         ok          ok     ok
  disabled  401        404         404         404         404    404       404        404         404    404
`

/** Who changes and deletes the notes of others. */
const managing = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   401        404project  404project  404project  404    403       403        ok          ok     ok
  internal  401        404project  403         403         403    403       403        ok          ok     ok
  public    401        403         403         403         403    403       403        ok          ok     ok
  archived  401        403         403         403         403    403       403        403         403    403
  members   401        404         404         404         404    403       403        ok          ok     ok
  disabled  401        404         404         404         404    404       404        404         404    404
`

/** Who awards notes something. */
const awarding = grid`
            anonymous  external    outsider    minimal     guest     reporter  developer  maintainer  owner     administrator
  private   401        404project  404project  404project  404       ok        ok         ok          ok        ok
  internal  401        404project  ok          ok          ok        ok        ok         ok          ok        ok
  public    401        ok          ok          ok          ok        ok        ok         ok          ok        ok
  archived  401        404award    404award    404award    404award  404award  404award   404award    404award  404award
  members   401        404         404         404         404       ok        ok         ok          ok        ok
  disabled  401        404         404         404         404       404       404        404         404       404
`

/** Who writes notes about issues. */
const writingOfIssues = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   401        404project  404project  404project  ok     ok        ok         ok          ok     ok
  internal  401        404project  ok          ok          ok     ok        ok         ok          ok     ok
  public    401        ok          ok          ok          ok     ok        ok         ok          ok     ok
  archived  401        403         403         403         403    403       403        403         403    403
`

/** Who changes and deletes the notes of others about issues. */
const managingOfIssues = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   401        404project  404project  404project  403    403       403        ok          ok     ok
  internal  401        404project  403         403         403    403       403        ok          ok     ok
  public    401        403         403         403         403    403       403        ok          ok     ok
  archived  401        403         403         403         403    403       403        403         403    403
`

/** Who awards notes about issues something. */
const awardingOfIssues = grid`
            anonymous  external    outsider    minimal     guest     reporter  developer  maintainer  owner     administrator
  private   401        404project  404project  404project  ok        ok        ok         ok          ok        ok
  internal  401        404project  ok          ok          ok        ok        ok         ok          ok        ok
  public    401        ok          ok          ok          ok        ok        ok         ok          ok        ok
  archived  401        404award    404award    404award    404award  404award  404award   404award    404award  404award
`

interface Noted {
  readonly path: `/${string}`
  readonly iidIn: (at: InProject) => number
  readonly threadsIn: (at: InProject) => InProject["threads"]
  readonly awardedIn: (at: InProject) => InProject["awardedNote"]
  readonly rights: Readonly<Record<"awarding" | "managing" | "reading" | "writing", Grid>> & {
    /** Undefined where nobody resolves them. */
    readonly resolving?: Grid
  }
}

const resolvingRows = (path: `/${string}`, resolving: Grid, asking: Row<InProject>[3]): ReadonlyArray<Row<InProject>> => [
  [`PUT ${path}`, 200, resolving, asking],
  [`PUT ${path}/notes/:note_id`, 200, resolving, asking, { when: "to resolve it" }]
]

const text = { body: "Of somebody" }

/** The rows of the notes of a kind of things. */
const rowsOf = ({ awardedIn, iidIn, path: one, rights, threadsIn }: Noted): ReadonlyArray<Row<InProject>> => {
  const { awarding, managing, reading, resolving, writing } = rights
  const of =
    (name: keyof InProject["threads"] = "kept", json?: object) =>
    (at: InProject) => {
      const { discussion, id } = threadsIn(at)[name]
      return { path: { noteable_id: iidIn(at), note_id: id, discussion_id: discussion }, ...(json && { json }) }
    }
  const awarded = (at: InProject) => {
    const { award, id } = awardedIn(at)
    return { path: { noteable_id: iidIn(at), note_id: id, award_id: award } }
  }
  const inThread = `${one}/discussions/:discussion_id` as const
  return [
    [`GET ${one}/notes`, 200, reading, of()],
    [`POST ${one}/notes`, 201, writing, of("kept", text)],
    [`GET ${one}/notes/:note_id`, 200, reading, of()],
    [`PUT ${one}/notes/:note_id`, 200, managing, of("kept", text)],
    [`DELETE ${one}/notes/:note_id`, 204, managing, of("doomed")],
    [`GET ${one}/notes/:note_id/award_emoji`, 200, reading, of()],
    [`POST ${one}/notes/:note_id/award_emoji`, 201, awarding, of("kept", { name: "thumbsup" })],
    [`GET ${one}/notes/:note_id/award_emoji/:award_id`, 200, reading, awarded],
    [`DELETE ${one}/notes/:note_id/award_emoji/:award_id`, 204, awarding, awarded],
    [`GET ${one}/discussions`, 200, reading, of()],
    [`POST ${one}/discussions`, 201, writing, of("kept", text)],
    [`GET ${inThread}`, 200, reading, of()],
    [`GET ${inThread}/notes`, 200, reading, of()],
    [`POST ${inThread}/notes`, 201, writing, of("kept", text)],
    [`GET ${inThread}/notes/:note_id`, 200, reading, of()],
    [`PUT ${inThread}/notes/:note_id`, 200, managing, of("kept", text)],
    [`DELETE ${inThread}/notes/:note_id`, 204, managing, of("doomedToo")],
    ...(resolving === undefined ? [] : resolvingRows(inThread, resolving, of("kept", { resolved: true })))
  ]
}

export const noteRows: ReadonlyArray<Row<InProject>> = [
  ...rowsOf({
    path: "/projects/:id/merge_requests/:noteable_id",
    iidIn: ({ mergeRequests }) => mergeRequests.kept,
    threadsIn: ({ threads }) => threads,
    awardedIn: ({ awardedNote }) => awardedNote,
    rights: { awarding, managing, reading: finding, resolving, writing }
  }),
  ...rowsOf({
    path: "/projects/:id/issues/:noteable_id",
    iidIn: ({ issues }) => issues.kept,
    threadsIn: ({ issueThreads }) => issueThreads,
    awardedIn: ({ awardedIssueNote }) => awardedIssueNote,
    rights: {
      awarding: awardingOfIssues,
      managing: managingOfIssues,
      reading,
      writing: writingOfIssues
    }
  })
]
