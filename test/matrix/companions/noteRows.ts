import { grid } from "../grid.ts"
import { finding } from "../mergeRequestRights.ts"
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

type Thread = keyof InProject["threads"]

const of =
  (name: Thread = "kept", json?: object) =>
  ({ mergeRequests, threads }: InProject) => ({
    path: { noteable_id: mergeRequests.kept, note_id: threads[name].id, discussion_id: threads[name].discussion },
    ...(json && { json })
  })
const text = { body: "Of somebody" }

const one = "/projects/:id/merge_requests/:noteable_id"

export const noteRows: ReadonlyArray<Row<InProject>> = [
  [`GET ${one}/notes`, 200, finding, of()],
  [`POST ${one}/notes`, 201, writing, of("kept", text)],
  [`GET ${one}/notes/:note_id`, 200, finding, of()],
  [`PUT ${one}/notes/:note_id`, 200, managing, of("kept", text)],
  [`DELETE ${one}/notes/:note_id`, 204, managing, of("doomed")],
  [`GET ${one}/discussions`, 200, finding, of()],
  [`POST ${one}/discussions`, 201, writing, of("kept", text)],
  [`GET ${one}/discussions/:discussion_id`, 200, finding, of()],
  [`PUT ${one}/discussions/:discussion_id`, 200, resolving, of("kept", { resolved: true })],
  [`GET ${one}/discussions/:discussion_id/notes`, 200, finding, of()],
  [`POST ${one}/discussions/:discussion_id/notes`, 201, writing, of("kept", text)],
  [`GET ${one}/discussions/:discussion_id/notes/:note_id`, 200, finding, of()],
  [`PUT ${one}/discussions/:discussion_id/notes/:note_id`, 200, managing, of("kept", text)],
  [
    `PUT ${one}/discussions/:discussion_id/notes/:note_id`,
    200,
    resolving,
    of("kept", { resolved: true }),
    { when: "to resolve it" }
  ],
  [`DELETE ${one}/discussions/:discussion_id/notes/:note_id`, 204, managing, of("doomedToo")]
]
