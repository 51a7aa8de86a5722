import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { type GitFailed, isThere, type Repository } from "../Repository.ts"

const noteOf = ({ path }: Repository) => join(path, "maintenance-exceeded")

/** Notes on a repository which limit its maintenance exceeded. */
export const noteExceeded = (repository: Repository, limit: NonNullable<GitFailed["exceeded"]>): Effect.Effect<void> =>
  Effect.flatMap(isThere(repository), (isPresent) =>
    isPresent ? Effect.promise(() => writeFile(noteOf(repository), `${limit}\n`)) : Effect.void
  )

export const removeExceededNote = (repository: Repository): Effect.Effect<void> =>
  Effect.promise(() => rm(noteOf(repository), { force: true }))

/** The limit that the last maintenance exceeded; undefined where it did not. */
export const notedLimit = (repository: Repository): Effect.Effect<string | undefined> =>
  Effect.promise(() =>
    readFile(noteOf(repository), "utf8").then(
      (text) => text.trim(),
      () => undefined
    )
  )
