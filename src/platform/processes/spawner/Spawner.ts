import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { defined } from "../../../kernel/defined.ts"
import { Child, type OnOutput } from "./Child.ts"
import type { Ask, Report, StartOptions } from "./messages.ts"
import { yieldToService } from "./sessionPriority.ts"

const program = fileURLToPath(new URL("program.js", import.meta.url))
/** A spawner that lets wait longer for a start stands still, and is replaced. */
const defaultMaxStartMillis = 30_000

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "EUNKNOWN")

/**
 * A small process beside this one that starts all others for it. To start a process, the system copies the tables of the memory of the one that
 * does: in a service of 400 MiB that takes 13 ms, during which it answers nobody; here 1.5 ms, beside it. What the processes say goes
 * to the service over connections of its own, not through the spawner.
 */
export class Spawner {
  #program: ChildProcess | undefined
  /** Where it listens, once it does. */
  #path: string | undefined
  /** What was asked before. */
  #unsent: Array<Ask> = []
  readonly #children = new Map<number, Child>()
  #lastId = 0
  readonly #maxStartMillis: number

  constructor(maxStartMillis = defaultMaxStartMillis) {
    this.#maxStartMillis = maxStartMillis
  }

  /** Starts a program; what comes of it the process tells. */
  start(command: string, args: ReadonlyArray<string>, options: StartOptions, onOutput?: OnOutput): Child {
    const id = ++this.#lastId
    const { detached = false, stdio } = options
    const child: Child = new Child({
      id,
      command,
      stdio,
      detached,
      onOutput,
      ask: (ask) => this.#ask(ask),
      onEnd: () => this.#forget(id),
      onLost: () => this.#lose(program)
    })
    this.#children.set(id, child)
    const program = this.#running(child)
    if (program === undefined) return child
    program.channel?.ref()
    this.#watchStart(child, program)
    this.#ask({ _tag: "Start", id, command, args, options })
    if (this.#path !== undefined) child.connect(this.#path)
    return child
  }

  /** The program, started unless it runs. Where it cannot be, the process cannot. */
  #running(child: Child): ChildProcess | undefined {
    try {
      this.#program ??= this.#startProgram()
    } catch (error) {
      child.failed(codeOf(error))
    }
    return this.#program
  }

  #startProgram(): ChildProcess {
    const { PATH, TMPDIR } = process.env
    const started = spawn(process.execPath, ["--max-semi-space-size=1", program], {
      cwd: "/",
      // Without the marker of this process: it ends of itself, with what it leaves on the disk.
      env: defined({ PATH, TMPDIR }),
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // In a session of its own, with what it starts: in that of the service, its lower priorities would let Linux hold up the database.
      detached: true
    })
    if (started.pid !== undefined) yieldToService(started.pid)
    started.once("error", (error) => this.#lose(started, codeOf(error)))
    started.once("disconnect", () => this.#lose(started))
    started.on("message", (report: Report) => this.#hear(report))
    // It must not keep this process running, whose end it waits for.
    started.unref()
    return started
  }

  /** Ends what is left of a spawner, and begins again without it. `code` tells why nothing could be started. */
  #lose(program: ChildProcess | undefined, code = "ECHILD"): void {
    if (program === undefined || this.#program !== program) return
    this.#program = undefined
    this.#path = undefined
    this.#unsent = []
    program.kill("SIGKILL")
    for (const child of this.#children.values()) child.abandoned(code)
  }

  #watchStart(child: Child, program: ChildProcess): void {
    const replace = () => this.#lose(program)
    let timer = setTimeout(() => {
      // Where this process stood still itself, it may be told of the start now.
      timer = setTimeout(replace, this.#maxStartMillis / 10).unref()
    }, this.#maxStartMillis).unref()
    const stop = () => clearTimeout(timer)
    child.once("spawn", stop)
    child.once("error", stop)
  }

  #ask(ask: Ask): void {
    if (this.#path === undefined) this.#unsent.push(ask)
    else this.#program?.send(ask, () => {})
  }

  #hear(report: Report): void {
    if (report._tag === "Ready") {
      this.#path = report.path
      for (const ask of this.#unsent.splice(0)) this.#ask(ask)
      for (const child of this.#children.values()) child.connect(report.path)
      return
    }
    const child = this.#children.get(report.id)
    if (report._tag === "Started") child?.started(report.pid)
    else if (report._tag === "Failed") child?.failed(report.code)
    else child?.ended(report.status, report.signal)
  }

  #forget(id: number): void {
    this.#children.delete(id)
    if (this.#children.size === 0) this.#program?.channel?.unref()
  }
}

/** That of this process. */
export const spawner = new Spawner()
