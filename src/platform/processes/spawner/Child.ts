import { EventEmitter } from "node:events"
import { Socket } from "node:net"
import { PassThrough, type Readable, Writable } from "node:stream"
import { headerOf } from "./header.js"
import type { Ask, StartOptions } from "./messages.ts"

interface Events {
  /** It runs, and has an id. */
  readonly spawn: []
  /** It could not be started; nothing else is told then. */
  readonly error: [error: NodeJS.ErrnoException]
  readonly exit: [status: number | null, signal: NodeJS.Signals | null]
  /** It has ended, and its output was read. */
  readonly close: [status: number | null, signal: NodeJS.Signals | null]
}

/** What a process prints, in one buffer for all pieces: each is there during the call only. */
export type OnOutput = (piece: Buffer) => void

export interface ChildOptions extends Pick<StartOptions, "stdio" | "detached"> {
  readonly id: number
  readonly command: string
  /** Takes the standard output in place of `stdout`. */
  readonly onOutput?: OnOutput | undefined
  readonly ask: (ask: Ask) => void
  /** It has ended, or could not be started. */
  readonly onEnd: () => void
  /** The spawner does not answer any more. */
  readonly onLost: () => void
}

const bufferBytes = 256 * 1024
/** Why a connection cannot be made though the spawner is there. */
const shortages: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EAGAIN"])

const outputSocket = (onOutput: OnOutput): Socket => {
  const callback = (bytes: number, buffer: Uint8Array) => {
    onOutput(Buffer.from(buffer.buffer, buffer.byteOffset, bytes))
    return true
  }
  return new Socket({ onread: { buffer: Buffer.alloc(bufferBytes), callback } })
}

/** Writes to a connection once `whenStarted` calls back: what came earlier would be read by the spawner. */
const inputOver = (connection: Socket, whenStarted: (done: () => void) => void): Writable => {
  const input = new Writable({
    construct: whenStarted,
    write: (chunk, _, done) => void connection.write(chunk, done),
    writev: (chunks, done) => {
      connection.cork()
      for (const [index, { chunk }] of chunks.entries()) connection.write(chunk, index === chunks.length - 1 ? done : undefined)
      connection.uncork()
    },
    final: (done) => void connection.end(done),
    destroy: (error, done) => {
      connection.destroy()
      done(error)
    }
  })
  connection.once("close", () => input.destroy())
  return input
}

/** Signals a process, or, by a negative number, a group of them. */
const signalTo = (id: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(id, signal)
  } catch {
    // It has ended.
  }
}

/** A process that the spawner starts; its streams are there before it is. The events are those of a `ChildProcess`. */
export class Child extends EventEmitter<Events> {
  /** What is not a pipe has ended. */
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** The connections by descriptors. */
  readonly stdio: ReadonlyArray<Socket | undefined>
  readonly #options: ChildOptions
  #pid: number | undefined
  #state: "starting" | "running" | "ended" = "starting"
  #end: Events["exit"] = [null, null]
  /** How many connections are open, and one for the process itself. */
  #open = 1

  constructor(options: ChildOptions) {
    super()
    this.#options = options
    this.stdio = options.stdio.map((kind, descriptor) => (kind === "pipe" ? this.#socket(descriptor) : undefined))
    const [stdin, stdout, stderr] = this.stdio
    this.stdin = stdin === undefined ? new PassThrough().end() : inputOver(stdin, (done) => this.#whenStarted(done))
    this.stdout = stdout ?? new PassThrough().end()
    this.stderr = stderr ?? new PassThrough().end()
  }

  /** Its id, while it runs and afterwards. */
  get pid(): number | undefined {
    return this.#pid
  }

  /** Signals it, as soon as it runs. */
  kill(signal: NodeJS.Signals = "SIGTERM"): void {
    if (this.#state === "starting") this.once("spawn", () => this.kill(signal))
    else if (this.#state === "running") this.#options.ask({ _tag: "Signal", id: this.#options.id, signal })
  }

  /** Signals all that it started and that has not left its session, and itself, where it leads one of its own; until `close`. */
  killGroup(signal: NodeJS.Signals): void {
    if (this.#state === "starting") this.once("spawn", () => this.killGroup(signal))
    else if (this.#pid !== undefined && this.#open > 0) signalTo(-this.#pid, signal)
  }

  /** Connects its streams with the spawner. */
  connect(path: string): void {
    for (const [descriptor, connection] of this.stdio.entries()) {
      connection?.connect(path)
      connection?.write(headerOf(this.#options.id, descriptor))
    }
  }

  started(pid: number): void {
    this.#pid = pid
    this.#state = "running"
    this.emit("spawn")
  }

  failed(code: string): void {
    if (this.#state !== "starting") return
    this.#state = "ended"
    this.#options.onEnd()
    const error = Object.assign(new Error(`spawn ${this.#options.command} ${code}`), { code, syscall: "spawn" })
    // Whoever starts it listens only then.
    process.nextTick(() => {
      this.emit("error", error)
      for (const connection of this.stdio) connection?.destroy()
    })
  }

  ended(status: number | null, signal: NodeJS.Signals | null): void {
    if (this.#state !== "running") return
    this.#state = "ended"
    this.#end = [status, signal]
    this.#options.onEnd()
    this.emit("exit", ...this.#end)
    this.stdin.destroy()
    for (const connection of this.stdio) {
      // What nobody reads keeps nobody waiting.
      if (connection?.listenerCount("data") === 0 && connection.listenerCount("readable") === 0) connection.resume()
    }
    this.#closed()
  }

  /** The spawner has ended: nobody would tell how this process does. */
  abandoned(code: string): void {
    if (this.#pid === undefined) {
      this.failed(code)
      return
    }
    signalTo(this.#options.detached === true ? -this.#pid : this.#pid, "SIGKILL")
    this.ended(null, "SIGKILL")
    for (const connection of this.stdio) connection?.destroy()
  }

  #socket(descriptor: number): Socket {
    const { onOutput } = this.#options
    const socket = descriptor === 1 && onOutput !== undefined ? outputSocket(onOutput) : new Socket()
    this.#open++
    socket.once("close", () => this.#closed())
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (this.#state === "starting") this.#unconnected(error.code ?? "")
      else if (descriptor === 0) this.stdin.destroy(error)
    })
    return socket
  }

  #unconnected(code: string): void {
    if (shortages.has(code)) {
      this.#options.ask({ _tag: "Abandon", id: this.#options.id })
      this.failed(code)
    } else this.#options.onLost()
  }

  #whenStarted(done: () => void): void {
    this.once("spawn", done)
    this.once("error", () => done())
  }

  #closed(): void {
    if (--this.#open === 0 && this.#pid !== undefined) this.emit("close", ...this.#end)
  }
}
