import { Effect } from "effect"
import { type DamagedFile, damagedFiles, missingObjects } from "../../git/maintenance/damage.ts"
import { Repositories } from "../../git/Repositories.ts"
import type { Repository } from "../../git/Repository.ts"
import { refsOf } from "../../git/refs/pushedRefs.ts"
import { loggedRefs } from "../../pushes/loggedRefs.ts"
import { type Finding, fail, warn } from "./Finding.ts"

/** Histories are walked for this many milliseconds in all: whole repositories may take hours. */
const walkMillis = 15_000
/** This many damaged files are told one by one. */
const maxListed = 20

const name = "repositories"
const restore = "put the file back from a backup, then run: npx chronoforge reconcile"

const findingOf =
  (repository: Repository) =>
  ({ fault, file }: DamagedFile): Finding =>
    file.endsWith(".lock")
      ? warn(
          name,
          `${repository.path}/${file} ${fault}`,
          "it is removed after the next push, or remove it while the service is stopped"
        )
      : fail(name, `${repository.path}/${file} ${fault}`, restore)

/** What the log tells of a ref that the repository does not have. A deletion that is being recorded looks the same for a moment. */
const lostRefs = Effect.fnUntraced(function* (id: number, real: ReadonlyMap<string, string>) {
  const { refs } = yield* loggedRefs(id)
  return [...refs.keys()]
    .filter((ref) => !real.has(ref))
    .map((file): DamagedFile => ({ file, fault: "is missing, but is in the log" }))
})

/** What git and the log find wrong with a repository whose files are in order by themselves. */
const walk = Effect.fnUntraced(function* (id: number, repository: Repository, timeLimit: number) {
  const refs = yield* refsOf(repository)
  return [...(yield* lostRefs(id, refs)), ...(yield* missingObjects(repository, refs, timeLimit))]
})

/** A repository on which git fails is told with git's reason; one for which no time was left is counted. */
const walkAll = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
  const repositories = yield* Repositories
  const end = performance.now() + walkMillis
  const findings: Array<Finding> = []
  let unseen = 0
  for (const id of ids) {
    const [repository, left] = [repositories.of(id), end - performance.now()]
    if (left <= 0) unseen += 1
    else {
      const found = yield* Effect.result(walk(id, repository, left))
      if (found._tag === "Success") findings.push(...found.success.map(findingOf(repository)))
      else if (found.failure.exceeded === "time") unseen += 1
      else findings.push(fail(name, `${repository.path}: ${found.failure.message}`, restore))
    }
  }
  return { findings, unseen }
})

const shortened = (findings: ReadonlyArray<Finding>): ReadonlyArray<Finding> =>
  findings.length <= maxListed
    ? findings
    : [...findings.slice(0, maxListed), fail(name, `${findings.length - maxListed} more files`, restore)]

/** Looks into the repositories of these projects: at the files of all, and as far as time allows at the objects and the recorded refs. */
export const checkRepositoryFiles = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
  const repositories = yield* Repositories
  const files = yield* Effect.forEach(
    ids,
    (id) =>
      Effect.map(damagedFiles(repositories.of(id)), (found) => ({ id, findings: found.map(findingOf(repositories.of(id))) })),
    { concurrency: 16 }
  )
  const readable = files.filter(({ findings }) => findings.every(({ status }) => status === "warn")).map(({ id }) => id)
  const { findings, unseen } = yield* walkAll(readable)
  return {
    findings: shortened([...files.flatMap((each) => each.findings), ...findings]),
    note: unseen === 0 ? "" : `; the histories of ${unseen} were not walked for lack of time`
  }
})
