import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/** A program that needs longer for its preparations or a round is given up. */
const limitMillis = 240_000

const running = new Set<ChildProcess>()

/** Remembers a process, so that `endPrograms` ends it. */
export const track = <A extends ChildProcess>(child: A): A => {
  running.add(child)
  child.once("exit", () => running.delete(child))
  return child
}

/** Starts a program of this folder. It ends by itself when this process does. */
export const startProgram = (file: string, args: ReadonlyArray<string>): ChildProcess =>
  track(fork(fileURLToPath(new URL(file, import.meta.url)), [...args], { stdio: ["ignore", "inherit", "inherit", "ipc"] }))

/** The next message of a program; fails when it ends, or says nothing for four minutes. */
export const nextMessage = async <A>(child: ChildProcess, file: string): Promise<A> => {
  const done = new AbortController()
  const { signal } = done
  const limit = setTimeout(() => done.abort(new Error(`${file} does not answer`)), limitMillis)
  try {
    return await Promise.race([
      once(child, "message", { signal }).then(([message]) => message),
      once(child, "exit", { signal }).then(([code, name]) => Promise.reject(new Error(`${file} ended with ${code ?? name}`)))
    ])
  } finally {
    clearTimeout(limit)
    done.abort()
  }
}

/** A process that needs longer to end is killed. */
const endMillis = 30_000

/** Asks a process to end and waits until it has. */
export const endProgram = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, "exit")
  const timer = setTimeout(() => {
    process.stderr.write(`  killed, because it did not end: ${child.spawnargs.join(" ")}\n`)
    child.kill("SIGKILL")
  }, endMillis)
  child.kill()
  await exited
  clearTimeout(timer)
}

/** Ends whatever still runs, before the database goes: the measurement was interrupted. */
export const endPrograms = (): Promise<unknown> => Promise.all([...running].map(endProgram))
