import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { rootToken, type Sent, send } from "../service.ts"

/** `node src/main.js serve` as a process of its own. */
export interface ServeProcess {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly pid: number
  /** What it wrote to both of its outputs so far. */
  readonly output: ReadonlyArray<string>
  readonly request: (method: string, path: string, sent?: Sent) => ReturnType<typeof send>
  /** Sends the signal and waits for the end; the exit code, or the signal that ended it. */
  readonly end: (signal: "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGHUP") => Promise<number | string>
}

const ended = async (child: ChildProcess): Promise<number | string> => {
  if (child.exitCode !== null) return child.exitCode
  if (child.signalCode !== null) return child.signalCode
  await once(child, "exit")
  return child.exitCode ?? child.signalCode ?? "unknown"
}

/** A process that ended instead of listening. */
export class NotStarted extends Error {
  readonly exit: number | string
  readonly output: ReadonlyArray<string>
  constructor(exit: number | string, output: ReadonlyArray<string>) {
    super(`exit ${exit}\n${output.join("\n")}`)
    this.exit = exit
    this.output = output
  }
}

const program = [process.execPath, "src/main.js", "serve"] as const

/**
 * Starts the service on a free port and returns once it listens. `env`: settings, DATA_DIR or DATABASE_URL among them. Another `command` has to
 * end as the service does.
 */
export const serveProcess = async (
  env: Readonly<Record<string, string>>,
  [command, ...args]: readonly [string, ...ReadonlyArray<string>] = program
): Promise<ServeProcess> => {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH ?? "", HOST: "127.0.0.1", PORT: "0", ROOT_TOKEN: rootToken, LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const output: Array<string> = []
  const url = await new Promise<string>((resolve, reject) => {
    const read = (line: string) => {
      output.push(line)
      const [, found] = /^Chronoforge listens at (\S+)\/api\/v4/.exec(line) ?? []
      if (found !== undefined) resolve(found)
    }
    createInterface(child.stdout).on("line", read)
    createInterface(child.stderr).on("line", read)
    child.once("close", () => void ended(child).then((exit) => reject(new NotStarted(exit, output))))
  })
  return {
    url,
    pid: child.pid ?? 0,
    output,
    request: (method, path, sent) => send(url, method, path, sent),
    end: (signal) => {
      child.kill(signal)
      return ended(child)
    }
  }
}
