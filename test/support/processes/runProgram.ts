import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, openSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Ran, readMessage, writeMessage } from "./runMessages.ts"

export interface RunOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly input?: string | Uint8Array
}

interface Runner {
  readonly ask: number
  readonly answer: number
}

let runner: Runner | undefined

/** Two pipes with names, because only such can be waited for without the event loop. */
const startRunner = (): Runner => {
  const folder = mkdtempSync(join(tmpdir(), "chronoforge-"))
  const [ask, answer] = [join(folder, "ask"), join(folder, "answer")]
  try {
    execFileSync("sh", ["-c", 'mkfifo "$@"', "sh", ask, answer])
    const program = fileURLToPath(new URL("runner.ts", import.meta.url))
    spawn(process.execPath, ["--max-semi-space-size=1", program, ask, answer], { stdio: ["ignore", "ignore", "inherit"] }).unref()
    // Each is open once the other side has opened it.
    return { ask: openSync(ask, "w"), answer: openSync(answer, "r") }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const lost: { readonly head: Ran; readonly body: Buffer } = {
  head: { status: null, stdoutBytes: 0, error: "the runner has ended" },
  body: Buffer.alloc(0)
}

/**
 * Runs a program to its end, like `execFileSync`, and answers its standard output. A small process beside this one starts it: to start a
 * process takes 20 ms and more in one that holds hundreds of MiB, as those of tests do.
 */
export const runProgram = (
  command: string,
  args: ReadonlyArray<string>,
  { cwd = "/", env = process.env, input = "" }: RunOptions = {}
): Buffer => {
  runner ??= startRunner()
  writeMessage(runner.ask, { command, args, cwd, env }, Buffer.from(input))
  const { body, head } = readMessage<Ran>(runner.answer) ?? lost
  const stdout = body.subarray(0, head.stdoutBytes)
  const stderr = body.subarray(head.stdoutBytes).toString()
  if (head.error === undefined && head.status === 0) return stdout
  const message = `${command} ${args.join(" ")}: ${head.error ?? stderr}`
  throw Object.assign(new Error(message), { status: head.status, stdout, stderr })
}
