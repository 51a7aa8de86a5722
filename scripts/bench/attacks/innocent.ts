import { execFile } from "node:child_process"
import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { git, gitEnvironment } from "../plainGit.ts"
import { request } from "../requests.ts"
import { offeredSteps, type Score, serveRounds } from "../serveRounds.ts"

/** What the innocent caller is told: the argument, as JSON. */
export interface Innocent {
  /** The URL of the interface. */
  readonly url: string
  readonly token: string
  /** The URL of the own repository for git, with credentials. */
  readonly remote: string
  readonly projectId: number
  /** A folder that is made anew. */
  readonly scratch: string
  readonly wantsArchives: boolean
}

const [text = ""] = process.argv.slice(2)
const innocent: Innocent = JSON.parse(text)
const { projectId, remote, scratch, token, url, wantsArchives } = innocent

/** Nobody waits longer than this for anything. */
const timeoutMillis = 30_000
const usersPerSecond = 20
const treesPerSecond = 10
const writesPerSecond = 2

class Failures {
  readonly #texts = new Map<string, number>()
  count = 0

  note(error: unknown): void {
    this.count++
    const said = (error instanceof Error ? error.message : String(error)).replaceAll(token, "…").slice(-300)
    this.#texts.set(said, (this.#texts.get(said) ?? 0) + 1)
  }

  print(): void {
    for (const [said, times] of this.#texts) process.stderr.write(`  innocent, ${times} times: ${said}\n`)
  }
}

const timedOut = Symbol()

/** Asks, or writes where there is a body; what is not answered as it should be is noted. */
const ask = async (path: string, failures: Failures, body?: object): Promise<void> => {
  const method = body === undefined ? "GET" : "PUT"
  const timer = new AbortController()
  const timeout = sleep(timeoutMillis, timedOut, { signal: timer.signal }).catch(() => timedOut)
  try {
    const outcome = await Promise.race([request(`${url}${path}`, { method, token, ...(body && { body }) }), timeout])
    if (outcome === timedOut) failures.note(`${method} ${path}: no answer in ${timeoutMillis / 1000} s`)
  } catch (error) {
    failures.note(error)
  } finally {
    timer.abort()
  }
}

const runGit = (folder: string, ...args: ReadonlyArray<string>) =>
  promisify(execFile)("git", ["-C", folder, ...args], { env: gitEnvironment, timeout: timeoutMillis, killSignal: "SIGKILL" })

/** The longest time in milliseconds of what succeeded, or was given up. */
class Longest {
  millis = Number.NaN

  async time(failures: Failures, step: () => Promise<unknown>): Promise<void> {
    const start = performance.now()
    const outcome = await step().catch((error: unknown) => failures.note(error) ?? "failed")
    const taken = performance.now() - start
    if (outcome !== "failed" || taken >= timeoutMillis) this.millis = Math.max(taken, Number.isNaN(this.millis) ? 0 : this.millis)
  }
}

const working = join(scratch, "working.git")
await rm(scratch, { recursive: true, force: true })
await mkdir(scratch, { recursive: true })
await git(scratch, "clone", "--quiet", "--bare", remote, working)

let commits = 0

const commit = async (): Promise<void> => {
  const content = `${++commits}\n`
  const running = promisify(execFile)("git", ["-C", working, "fast-import", "--date-format=now", "--quiet", "--done"], {
    env: gitEnvironment
  })
  running.child.stdin?.end(
    `commit refs/heads/main\ncommitter Innocent <innocent@example.com> now\ndata 12\nChange count\nfrom refs/heads/main^0\n` +
      `M 100644 inline src/count.txt\ndata ${content.length}\n${content}\ndone\n`
  )
  await running
}

const pauseMillis = 500

/** A clone, a push and, if wanted, an archive after the other. */
const transfers = async (millis: number, failures: Failures): Promise<Score> => {
  const [clone, push, archive] = [new Longest(), new Longest(), new Longest()]
  const target = join(scratch, "clone.git")
  const start = performance.now()
  while (performance.now() - start < millis) {
    await rm(target, { recursive: true, force: true })
    await clone.time(failures, () => runGit(scratch, "clone", "--quiet", "--bare", remote, target))
    await commit()
    await push.time(failures, () => runGit(working, "push", "--quiet", remote, "main"))
    if (wantsArchives) await archive.time(failures, () => ask(`/projects/${projectId}/repository/archive.tar.gz`, failures))
    await sleep(pauseMillis)
  }
  return { clone: clone.millis, push: push.millis, archive: archive.millis }
}

serveRounds(async ({ millis }) => {
  const failures = new Failures()
  const offer = (path: string, parallel: number) => offeredSteps({ parallel, millis }, () => ask(path, failures))
  const [user, tree, moved] = await Promise.all([
    offer("/user", usersPerSecond),
    offer(`/projects/${projectId}/repository/tree?path=src&per_page=100`, treesPerSecond),
    transfers(millis, failures),
    offeredSteps({ parallel: writesPerSecond, millis }, () => ask(`/projects/${projectId}`, failures, { description: "Counts." }))
  ])
  failures.print()
  return { ...moved, user: user.p99 ?? Number.NaN, tree: tree.p99 ?? Number.NaN, failures: failures.count }
})
