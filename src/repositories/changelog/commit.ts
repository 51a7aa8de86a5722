import { Clock, Effect } from "effect"
import { hasVersion, insertSection } from "../../changelog/insert.ts"
import { failures } from "../../changelog/template/errors.ts"
import { Repositories } from "../../git/Repositories.ts"
import { branchRef } from "../../git/refs/refNames.ts"
import { readRef } from "../../git/refs/refs.ts"
import { commitFiles } from "../../git/write/commitFiles.ts"
import { ActionRefused } from "../../git/write/fileActions.ts"
import { isFilePath } from "../../git/write/filePaths.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { type Move, moveFromTip } from "../../pushes/Pushes.ts"
import { refusalText } from "../commits/actions.ts"
import { type Identity, signed } from "../commits/identity.ts"
import { fileAt } from "./file.ts"

export interface SectionToCommit {
  readonly projectId: number
  /** The branch without `refs/heads/`. */
  readonly branch: string
  /** The path of the file. */
  readonly file: string
  readonly version: string
  readonly section: string
  readonly message: string
  readonly author: Identity
}

/** The highest number of bytes. Gap: nothing is inserted into a larger file, whose headers might take long to read. */
const maxFileBytes = 4 * 1024 * 1024

const tooLarge = () => failures.commitRefused("The file is too large")
// Gap: the reference writes the section behind the target of the link.
const isLink = failures.commitRefused("The file is a symbolic link")
const noBranch = failures.commitRefused("You can only create or edit files when you are on a branch")
const badPath = (path: string) => failures.commitRefused(refusalText(new ActionRefused({ reason: "badPath", path })))
const isMoving = (branch: string) =>
  failures.commitRefused(`Could not update ${branchRef(branch)}. Please refresh and try again.`)

/** Turns the UTF-8 bytes of a text into Latin-1 characters, so that an old file of another encoding keeps its bytes. */
const bytesOf = (text: string): string => Buffer.from(text).toString("latin1")

/** Commits the section unless the file has one for the version. Fails with `RefMoved` when the branch moves meanwhile. */
const attempt = Effect.fnUntraced(function* (section: SectionToCommit, move: Move) {
  const { author, branch, file, message, projectId, version } = section
  if (!isFilePath(file)) return yield* badPath(file)
  const repository = (yield* Repositories).of(projectId)
  const name = branchRef(branch)
  const parent = (yield* Effect.orDie(readRef(repository, name)))?.id
  if (parent === undefined) return yield* noBranch
  const place = { commit: parent, path: file }
  const old = yield* fileAt(repository, place, { limit: maxFileBytes, orTooLarge: tooLarge })
  if (old?.isLink) return yield* isLink
  const text = old?.content.toString("latin1") ?? ""
  if (hasVersion(text, bytesOf(version))) return
  const content = Buffer.from(insertSection(text, bytesOf(version), bytesOf(section.section)), "latin1")
  const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const signature = signed(author, seconds)
  const to = yield* commitFiles(repository, {
    parent,
    actions: [{ _tag: old === undefined ? "create" : "update", path: file, content }],
    author: signature,
    committer: signature,
    message
  }).pipe(
    Effect.catchTags({
      ActionRefused: (refused) => Effect.fail(failures.commitRefused(refusalText(refused))),
      TreesRefused: ({ message }) => Effect.fail(failures.commitRefused(message)),
      GitFailed: Effect.die
    })
  )
  yield* move([{ name, from: parent, to }]).pipe(Effect.catchTag("GitFailed", Effect.die))
})

/**
 * Puts the section into the file by a commit on the branch; nothing happens when the file has one for the version. What others push
 * meanwhile is kept.
 */
export const commitSection = (section: SectionToCommit) =>
  moveFromTip(section.projectId, {}, (move) => attempt(section, move)).pipe(
    Effect.catchTag(["RefMoved", "RefNameTaken"], () => Effect.fail(isMoving(section.branch))),
    spanned("changelog.commitSection")
  )
