import { Effect } from "effect"
import { type LimitedChild, Processes } from "../../platform/processes/Processes.ts"
import { CurrentWork, type WorkClass } from "../../platform/work/CurrentWork.ts"
import { alternates } from "../process/alternates.ts"
import { start } from "../process/start.ts"
import { badEnd, type GitFailed, notStarted, type Repository } from "../Repository.ts"
import { readLooseTrees } from "./looseTrees.ts"
import { TreeReader } from "./TreeReader.ts"
import type { TreeSizes } from "./TreeSizes.ts"

const listArgs = [
  "cat-file",
  "--batch-all-objects",
  "--unordered",
  "--buffer",
  "--batch-check=%(objecttype) %(objectname) %(objectsize)"
]
const readArgs = ["cat-file", "--batch-command", "--buffer"]
const objectLine = /^([a-z]+) ([0-9a-f]{40}) ([0-9]+)$/

/** Calls back when a process has ended, with why it failed, if it did. */
const watch = (child: LimitedChild, args: ReadonlyArray<string>, onEnd: (failure: GitFailed | undefined) => void): void => {
  let stderr = ""
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-2000)
  })
  child.stdin.on("error", () => {})
  child.once("error", (error) => onEnd(notStarted(args, error)))
  child.once("close", (status) => onEnd(status === 0 ? undefined : badEnd(args, { status, stderr, exceeded: child.exceeded() })))
}

interface Reading {
  readonly processes: Processes
  readonly class: WorkClass
  readonly repository: Repository
  /** Where the new objects lie. */
  readonly folder: string
  readonly sizes: TreeSizes
  /** The trees to begin with; undefined for all in the folder. */
  readonly ids: ReadonlyArray<string> | undefined
}

/** Counts all objects of the folder, and calls back with the ids of all trees among them; `undefined` is the end. */
const listTrees = (
  { class: workClass, folder, processes, repository, sizes }: Reading,
  onIds: (ids: ReadonlyArray<string> | undefined) => void,
  onFailure: (failure: GitFailed) => void
): LimitedChild => {
  const child = start(processes, repository, listArgs, { env: { GIT_OBJECT_DIRECTORY: folder }, class: workClass })
  let rest = ""
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("latin1")).split("\n")
    rest = lines.pop() ?? ""
    const ids: Array<string> = []
    for (const line of lines) {
      const [, type, id, size = 0] = objectLine.exec(line) ?? []
      sizes.count(Number(size))
      if (type === "tree" && id !== undefined) ids.push(id)
    }
    onIds(ids)
  })
  watch(child, listArgs, (failure) => (failure === undefined ? onIds(undefined) : onFailure(failure)))
  return child
}

const unreadable = (stderr: string) => badEnd(readArgs, { status: 0, stderr, exceeded: undefined })

/** Reads trees through git until all that they lead to is known, or one is too large. */
const readWithGit = (reading: Reading): Effect.Effect<void, GitFailed> =>
  Effect.callback((resume) => {
    const { class: workClass, folder, ids, processes, repository, sizes } = reading
    const env = { GIT_OBJECT_DIRECTORY: folder, ...alternates([repository]) }
    const onOutput = (data: Buffer) => (reader.push(data) ? goOn() : finish(Effect.fail(unreadable("unreadable output"))))
    const child = start(processes, repository, readArgs, { env, class: workClass, onOutput })
    let [asked, answered, isListed] = [0, 0, ids !== undefined]
    const finish = (outcome: Effect.Effect<void, GitFailed>) => {
      stop()
      resume(outcome)
    }
    const ask = (more: ReadonlyArray<string>) => {
      if (more.length === 0) return
      asked += more.length
      if (!child.stdin.write(`${more.map((id) => `contents ${id}\n`).join("")}flush\n`)) lister?.stdout.pause()
    }
    const goOn = () => {
      if (sizes.excess !== undefined) return finish(Effect.void)
      if (!isListed || answered < asked) return
      ask(sizes.takeUnread())
      if (answered === asked) finish(Effect.void)
    }
    const reader = new TreeReader(sizes, () => void answered++)
    // It ends only when it is told to, or fails.
    watch(child, readArgs, (failure = unreadable("ended early")) => finish(Effect.fail(failure)))
    const onIds = (listed: ReadonlyArray<string> | undefined) => {
      ask(listed ?? [])
      isListed ||= listed === undefined
      goOn()
    }
    const lister = ids === undefined ? listTrees(reading, onIds, (failure) => finish(Effect.fail(failure))) : undefined
    const stop = () => {
      lister?.kill("SIGKILL")
      child.kill("SIGKILL")
    }
    child.stdin.on("drain", () => lister?.stdout.resume())
    ask(ids ?? [])
    return Effect.sync(stop)
  })

/** Reads these trees, or all among the objects of the folder, and those of the repository that they lead to and whose sizes are not known. */
export const readGiven = Effect.fnUntraced(function* (
  repository: Repository,
  folder: string,
  sizes: TreeSizes,
  ids: ReadonlyArray<string> | undefined
): Effect.fn.Return<void, GitFailed> {
  const reading: Reading = { processes: yield* Processes, class: (yield* CurrentWork).class, repository, folder, sizes, ids }
  yield* readWithGit(reading)
})

/**
 * Reads all trees among the objects of a folder, such as the quarantine of a push, in the order of their pack, which is what git reads
 * fastest, and those of the repository that they lead to and whose sizes are not known. Ends as soon as one is too large. The processes
 * run in the place that whoever calls has.
 */
export const readTrees = Effect.fnUntraced(function* (
  repository: Repository,
  folder: string,
  sizes: TreeSizes
): Effect.fn.Return<void, GitFailed> {
  const loose = new TreeReader(sizes, () => {})
  const isRead = yield* Effect.promise(() => readLooseTrees(folder, loose, sizes.count))
  if (!isRead) sizes.recount()
  const ids = isRead ? sizes.takeUnread() : undefined
  if (sizes.excess !== undefined || ids?.length === 0) return
  yield* readGiven(repository, folder, sizes, ids)
})
