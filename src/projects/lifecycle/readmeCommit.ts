import { Effect } from "effect"
import { Repositories } from "../../git/Repositories.ts"
import type { Repository } from "../../git/Repository.ts"
import { refsOf } from "../../git/refs/pushedRefs.ts"
import { branchOf, branchRef } from "../../git/refs/refNames.ts"
import { trackMoves } from "../../git/refs/trackMoves.ts"
import { updateRefs } from "../../git/refs/updateRefs.ts"
import { commitFiles } from "../../git/write/commitFiles.ts"
import type { UserRow } from "../../http/access/Caller.ts"
import { commitEmail } from "../../http/answer/shapes.ts"
import { history } from "../../platform/Commands.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { outsideRun } from "../../platform/repeats.ts"
import { projectAggregate } from "../aggregate.ts"
import type { ProjectEvent } from "../events.ts"
import { ProjectPushes } from "../ProjectPushes.ts"
import { noteReadme, protectDefaultBranch } from "../protections/firstPush.ts"
import { initialBranch } from "../repository/initialBranch.ts"

type Created = Extract<ProjectEvent, { readonly _tag: "ProjectCreated" }>

export interface ReadmeInput {
  readonly projectId: number
  readonly author: UserRow
  /** The service's own address, for authors who keep theirs to themselves. */
  readonly externalUrl: string
}

const contentOf = ({ settings: { description, name } }: Created): Buffer => Buffer.from(`# ${name}\n\n${description ?? ""}`)

/** Writes the commit and answers its id: the same one again while its author is called the same, for the rest is of the creation. */
const write = (repository: Repository, created: Created, at: number, { author, externalUrl }: ReadmeInput) => {
  const email = commitEmail(author, externalUrl)
  const signature = { name: author.name, email, seconds: Math.floor(at / 1000), offset: "+0000" }
  const file = { _tag: "create", path: "README.md", content: contentOf(created) } as const
  const commit = { parent: undefined, actions: [file], author: signature, committer: signature, message: "Initial commit" }
  return Effect.orDie(commitFiles(repository, commit))
}

const branchesOf = (refs: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  [...refs.keys()].flatMap((ref) => branchOf(ref) ?? [])

/** Every step looks at what is there, so that it takes up whatever an earlier run left. Answers the position of what was recorded. */
const begin = Effect.fnUntraced(function* (
  repository: Repository,
  projectId: number,
  branch: string,
  commit: Effect.Effect<string>
) {
  const pushes = yield* ProjectPushes
  if (!(yield* pushes.hasBegun(projectId)) && (yield* refsOf(repository)).size === 0) {
    const change = { name: branchRef(branch), from: null, to: yield* commit }
    // Whoever pushed at this moment has begun the repository.
    yield* Effect.catchTag(updateRefs(repository, [change]), ["RefMoved", "RefNameTaken"], () => Effect.void)
  }
  const { moved, position } = yield* pushes.recordDifference(projectId)
  if (moved > 0) return position
  const told = yield* protectDefaultBranch(projectId, branchesOf(yield* refsOf(repository)))
  const noted = yield* noteReadme(projectId)
  return Math.max(told?.position ?? 0, noted?.position ?? 0)
})

/**
 * Makes the first commit of a new project, a README with its name and description, and records it as a push. Nothing is added to a
 * repository that has, or had, commits already, so it can be repeated after a crash. Answers the position of what was recorded, 0 for
 * nothing.
 */
export const commitReadme = Effect.fnUntraced(function* (input: ReadmeInput) {
  const { projectId } = input
  const { events, recorded } = yield* history(projectAggregate, projectId)
  const [created] = events
  if (created?._tag !== "ProjectCreated" || events.some(({ _tag }) => _tag === "ProjectDeleted")) return 0
  const repository = (yield* Repositories).of(projectId)
  const commit = write(repository, created, recorded[0]?.at ?? 0, input).pipe(Effect.provide(yield* Effect.context<Needed>()))
  const begun = begin(repository, projectId, created.defaultBranch ?? initialBranch, commit)
  return yield* trackMoves(repository, Effect.uninterruptible(Effect.orDie(outsideRun(begun))))
}, spanned("projects.commitReadme"))

type Needed = Effect.Services<ReturnType<typeof write>>
