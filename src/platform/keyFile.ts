import { randomBytes } from "node:crypto"
import { link, mkdir, open, readFile, unlink } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect } from "effect"
import { StartError } from "../kernel/StartError.ts"

const codeOf = (cause: unknown): string | undefined =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : undefined

const unusable = (path: string, reason: string) => new StartError({ message: `Cannot use ${path}: ${reason}` })

const attempt = <A>(path: string, run: () => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => unusable(path, cause instanceof Error ? cause.message : String(cause))
  })

/** What a key file says, trimmed; undefined when there is none. An empty one is refused. */
export const readKeyFile = (path: string): Effect.Effect<string | undefined, StartError> =>
  attempt(path, () =>
    readFile(path, "utf8").catch((cause: unknown) => {
      if (codeOf(cause) === "ENOENT") return undefined
      throw cause
    })
  ).pipe(
    Effect.map((text) => text?.trim()),
    Effect.filterOrFail(
      (text) => text !== "",
      () => unusable(path, "the file is empty")
    )
  )

/** Writes the file beside its place and then links it, so that of two processes one wins and both read the same. */
const createKeyFile = (path: string, text: string) =>
  attempt(path, async () => {
    await mkdir(dirname(path), { recursive: true })
    const draft = `${path}.${process.pid}.${randomBytes(6).toString("hex")}`
    const file = await open(draft, "wx", 0o600)
    try {
      await file.writeFile(`${text}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    try {
      await link(draft, path)
    } catch (cause) {
      if (codeOf(cause) !== "EEXIST") throw cause
    } finally {
      await unlink(draft)
    }
    const folder = await open(dirname(path), "r")
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  })

/** What a key file says; one that is not there is made first, readable by its owner alone (mode 0600). */
export const ensureKeyFile = (path: string, make: () => string): Effect.Effect<string, StartError> =>
  Effect.gen(function* () {
    const existing = yield* readKeyFile(path)
    if (existing !== undefined) return existing
    yield* createKeyFile(path, make())
    return (yield* readKeyFile(path)) ?? (yield* unusable(path, "the file vanished"))
  })
