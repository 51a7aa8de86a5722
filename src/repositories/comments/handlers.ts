import { Effect } from "effect"
import type { Commit } from "../../git/objects/commit.ts"
import { badRequest, forbidden, invalidParameters } from "../../http/answer/errors.ts"
import { isoMillis } from "../../http/answer/jsonTimes.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { userReference } from "../../http/answer/shapes.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { guardedRoute, type Input } from "../../http/Endpoint.ts"
import { isLongerThan } from "../../kernel/characters.ts"
import { record } from "../../platform/Commands.ts"
import { can } from "../../projects/Projects.ts"
import type { CommitComment } from "../commits/shapes.ts"
import { commitNotFound, requireCommit } from "../commits/view.ts"
import { type CommitAddress, commentStream } from "../ids.ts"
import { type OpenRepository, openRepository } from "../openRepository.ts"
import { createComment, listComments } from "./contract.ts"
import { CommitCommentEvent, commitCommentCodec } from "./events.ts"
import { commentedLine } from "./line.ts"
import { CommitCommentQueries, type CommitCommentRow } from "./Queries.ts"

const present = ({ author, created_at, ...row }: CommitCommentRow, externalUrl: string): typeof CommitComment.Type => ({
  note: row.note,
  path: row.path,
  line: row.line,
  line_type: row.line_type,
  author: author && userReference(author, externalUrl),
  created_at: isoMillis(created_at)
})

const addressOf = ({ project }: OpenRepository, { id }: Commit): CommitAddress => ({ projectId: project.id, sha: id })

const listRoute = guardedRoute(
  listComments,
  openRepository,
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const commit = yield* requireCommit(guarded, parameters.sha)
    const { rows, total } = yield* (yield* CommitCommentQueries).list(addressOf(guarded, commit), pageOf(parameters))
    return page(
      rows.map((row) => present(row, request.externalUrl)),
      total
    )
  })
)

/** A note has at most this many characters. */
const maxNoteLength = 1_000_000
// Gap: the text is not shown; failures of other records look like this.
const notSaved = (reason: string) => badRequest(`Failed to save note {:note=>["${reason}"]}`)

const requireNote = Effect.fnUntraced(function* (text: string | null) {
  const note = text ?? ""
  if (!/\S/.test(note)) return yield* notSaved("can't be blank")
  return isLongerThan(note, maxNoteLength) ? yield* notSaved(`is too long (maximum is ${maxNoteLength} characters)`) : note
})

type CommentParameters = Input<typeof createComment.parameters, "user">["parameters"]

/** The line of the comment; null for a comment on the commit as a whole. Line and type count only with a path. */
const requireLine = Effect.fnUntraced(function* ({ line, line_type: type, path }: CommentParameters) {
  if (!path) return null
  return typeof line === "number" ? { path, number: line, type } : yield* invalidParameters(["line is missing"])
})

const createRoute = guardedRoute(
  createComment,
  openRepository,
  Effect.fnUntraced(function* ({ caller, guarded, parameters, request }) {
    const { project, repository, principal } = guarded
    const requestedLine = yield* requireLine(parameters)
    if (!can("create_note", principal, project)) return yield* forbidden
    const commit = yield* requireCommit(guarded, parameters.sha)
    const note = yield* requireNote(parameters.note)
    const line = requestedLine && (yield* commentedLine(repository, commit, requestedLine))
    const address = addressOf(guarded, commit)
    const stream = commentStream(address)
    const commented = CommitCommentEvent.cases.CommitCommented.make({ authorId: caller.user.id, note, line })
    const position = yield* record(commitCommentCodec, stream, [commented], { once: true })
    yield* awaitReadModels({ position, stream })
    const row = yield* (yield* CommitCommentQueries).find(address, position)
    return ok(present(row ?? (yield* commitNotFound), request.externalUrl))
  })
)

export const commitCommentRoutes = [listRoute, createRoute]
