import { Readable } from "node:stream"
import { Effect } from "effect"
import { blame } from "../../git/history/blame.ts"
import { type Commit, readCommits } from "../../git/objects/commit.ts"
import { isoTime } from "../../git/objects/signature.ts"
import { inline } from "../../http/answer/contentDisposition.ts"
import { badRequest, invalidParameters, unprocessable } from "../../http/answer/errors.ts"
import { RawBody } from "../../http/answer/Reply.ts"
import { guardedRoute } from "../../http/Endpoint.ts"
import { defined } from "../../kernel/defined.ts"
import { forEachInSlices } from "../../kernel/inSlices.ts"
import { jsonWithContent, rawHeaders } from "../blobs/content.ts"
import { openCode } from "../openRepository.ts"
import { blameFile, readFile as readFileWhole, readRawFile } from "./contract.ts"
import type { BlamedLines } from "./shapes.ts"
import { factHeaders, noFile, readFile, requireFile } from "./view.ts"
import { fileWrites } from "./writes.ts"

const readRoute = guardedRoute(
  readFileWhole,
  openCode,
  Effect.fnUntraced(function* ({ guarded: { project }, parameters }) {
    const { content, facts } = yield* readFile(yield* requireFile(project, parameters))
    const headers = factHeaders(facts)
    if (content instanceof Readable) return { body: jsonWithContent({ before: facts, content }), headers }
    return { body: { ...facts, content: content.toString("base64") }, headers }
  })
)

const rawRoute = guardedRoute(
  readRawFile,
  openCode,
  Effect.fnUntraced(function* ({ guarded: { project }, parameters }) {
    const { content, facts } = yield* readFile(yield* requireFile(project, parameters))
    const headers = {
      ...factHeaders(facts),
      ...rawHeaders,
      "content-disposition": inline(facts.file_name),
      "content-length": String(facts.size)
    }
    return { body: new RawBody("text/plain", content), headers }
  })
)

const tooManyLines = unprocessable("The file has too many lines to tell where all of them come from: name a range of them")

const presentBlamed = (commit: Commit, lines: ReadonlyArray<string>): typeof BlamedLines.Type => ({
  commit: {
    id: commit.id,
    parent_ids: commit.parents,
    message: commit.message,
    authored_date: isoTime(commit.author),
    author_name: commit.author.name,
    author_email: commit.author.email,
    committed_date: isoTime(commit.committer),
    committer_name: commit.committer.name,
    committer_email: commit.committer.email
  },
  lines
})

interface Range {
  readonly start: number
  readonly end: number
}

const requireLines = Effect.fnUntraced(function* ({ end, start }: Range) {
  const texts = [
    ...(start < 1 ? ["range[start] does not have a valid value"] : []),
    ...(end < 1 ? ["range[end] does not have a valid value"] : [])
  ]
  if (texts.length > 0) return yield* invalidParameters(texts)
  return start > end ? yield* badRequest("range[start] must be less than or equal to range[end]") : { start, end }
})

const blameRoute = guardedRoute(
  blameFile,
  openCode,
  Effect.fnUntraced(function* ({ guarded: { project }, parameters }) {
    const lines = parameters.range ? yield* requireLines(parameters.range) : undefined
    const file = yield* requireFile(project, parameters)
    const { commit, entry, repository } = file
    const blamed = yield* blame(repository, { commit, path: entry.path, ...defined({ lines }) }).pipe(
      Effect.catchTag("GitFailed", (failure) => (failure.exceeded === "output" ? tooManyLines : Effect.die(failure)))
    )
    const ranges = blamed ?? (yield* noFile)
    const ids = new Set<string>()
    yield* forEachInSlices(ranges, (range) => void ids.add(range.commit))
    const commits: ReadonlyArray<Commit> = yield* Effect.orDie(readCommits(repository, [...ids]))
    const byId = new Map(commits.map((each) => [each.id, each]))
    const body: Array<typeof BlamedLines.Type> = []
    yield* forEachInSlices(ranges, ({ commit: id, lines: texts }) => {
      const from = byId.get(id)
      if (from !== undefined) body.push(presentBlamed(from, texts))
    })
    return { body, headers: factHeaders((yield* readFile(file)).facts) }
  })
)

export const fileRoutes = [readRoute, rawRoute, blameRoute, ...fileWrites]
