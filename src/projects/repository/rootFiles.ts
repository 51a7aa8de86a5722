import { Effect } from "effect"
import { decodeText } from "../../git/objects/decodeText.ts"
import { Objects } from "../../git/objects/Objects.ts"
import { readTree } from "../../git/objects/tree.ts"
import type { GitFailed, Repository } from "../../git/Repository.ts"
import { branchRef } from "../../git/refs/refNames.ts"
import { readRef } from "../../git/refs/refs.ts"
import type { License } from "../shapes.ts"
import { licenseFile, licenseOf } from "./licenses.ts"
import { readmeFile } from "./readme.ts"

interface RootFile {
  readonly name: string
  readonly id: string
}

/** A licence, and the file that tells it. */
export interface FoundLicense {
  readonly file: string
  readonly license: License
}

/** A licence is searched for in texts of at most this many bytes. */
const maxLicenseBytes = 1024 * 1024

const isFile = (mode: string): boolean => mode !== "40000" && mode !== "160000"

/** The files at the root of a branch, which may be missing. */
const rootFiles = Effect.fnUntraced(function* (
  repository: Repository,
  branch: string
): Effect.fn.Return<ReadonlyArray<RootFile>, GitFailed, Objects> {
  const tip = yield* readRef(repository, branchRef(branch))
  const entries = (tip && (yield* readTree(repository, `${tip.id}^{tree}`))) ?? []
  return entries.filter(({ mode }) => isFile(mode)).map(({ id, name }) => ({ id, name: decodeText(name) }))
})

/** The name of the README at the root of a branch; null for none. */
export const findReadme = Effect.fnUntraced(function* (repository: Repository, branch: string) {
  const files = yield* rootFiles(repository, branch)
  return readmeFile(files.map(({ name }) => name)) ?? null
})

/** The licence of a branch; undefined when no file at its root tells one. A text that is too long to be one is another licence. */
export const findLicense = Effect.fnUntraced(function* (
  repository: Repository,
  branch: string
): Effect.fn.Return<FoundLicense | undefined, GitFailed, Objects> {
  const files = yield* rootFiles(repository, branch)
  const file = licenseFile(files.map(({ name }) => name))
  const found = files.find(({ name }) => name === file)
  if (found === undefined) return undefined
  const { info, read } = yield* Objects
  const { size = 0 } = (yield* info(repository, found.id)) ?? {}
  const text = size > maxLicenseBytes ? undefined : yield* read(repository, found.id)
  return { file: found.name, license: licenseOf(text === undefined ? "" : decodeText(text.content)) }
})
