import { Effect } from "effect"
import { type Config, defaultConfig, parseConfig } from "../../changelog/config.ts"
import { startTag } from "../../changelog/startTag.ts"
import { failures, maxCommits } from "../../changelog/template/errors.ts"
import { logIds } from "../../git/history/log.ts"
import { decodeText } from "../../git/objects/decodeText.ts"
import { Repositories } from "../../git/Repositories.ts"
import { listTags } from "../../git/refs/refs.ts"
import { inSlices } from "../../kernel/inSlices.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import type { ProjectRow } from "../../projects/Projects.ts"
import { commitOf, orAbsent } from "../revision.ts"
import { fileAt } from "./file.ts"

/** A configuration has at most this many bytes; its parser gives up far below. */
const maxConfigBytes = 4 * 1024 * 1024

/** The configuration in the default branch; the usual one where there is no file. */
export const configOf = Effect.fnUntraced(function* (project: ProjectRow, path: string) {
  const commit = yield* commitOf(project, "HEAD")
  if (commit === undefined) return defaultConfig
  const repository = (yield* Repositories).of(project.id)
  const file = yield* fileAt(repository, { commit, path }, { limit: maxConfigBytes, orTooLarge: failures.templateTimeout })
  return file === undefined ? defaultConfig : yield* Effect.fromResult(parseConfig(path, decodeText(file.content)))
})

interface Range {
  readonly version: string
  /** The start of the range as sent. */
  readonly from: string | null | undefined
  /** The id of the commit with which the range ends; undefined when there is none. */
  readonly to: string | undefined
}

/** The id of the commit after which the range begins; undefined when the text that was sent names none. */
const startOf = Effect.fnUntraced(function* (project: ProjectRow, { from, version }: Range, { tagRegex }: Config) {
  if (typeof from === "string") return yield* commitOf(project, from)
  const repository = (yield* Repositories).of(project.id)
  const tags = (yield* orAbsent(project, listTags(repository))) ?? []
  const commits = new Map(tags.flatMap(({ commit, name }) => (commit === undefined ? [] : [[name, commit]])))
  return commits.get(yield* Effect.fromResult(yield* inSlices(startTag(version, commits.keys(), tagRegex))))
})

/** The ids of the commits of the range, newest first. */
export const commitsInRange = Effect.fnUntraced(function* (project: ProjectRow, range: Range, config: Config) {
  const from = yield* startOf(project, range, config)
  if (from === undefined || range.to === undefined) return yield* failures.rangeInvalid()
  const repository = (yield* Repositories).of(project.id)
  const ids = yield* Effect.orDie(logIds(repository, { from: [range.to], without: [from], limit: maxCommits + 1 }))
  return ids.length > maxCommits ? yield* failures.rangeTooLong() : ids
}, spanned("changelog.commitsInRange"))
