import { type ChildProcess, spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import { dirname } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { defined } from "#src/kernel/defined.ts"
import packageJson from "../../package.json" with { type: "json" }
import { endProgram, track } from "./programs.ts"

export const rootToken = "glpat-root-token-of-the-benchmark"

/** A running `chronoforge serve` in a process of its own. */
export interface Service {
  /** The URL of the interface, such as `http://127.0.0.1:<port>/api/v4`. */
  readonly url: string
  readonly child: ChildProcess
}

/** Starts the service as `npm start` does, and waits until it listens. `settings` are environment variables. */
const startService = async (settings: Readonly<Record<string, string>>): Promise<Service> => {
  const child = spawn("/bin/sh", ["-c", packageJson.scripts.start], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      HOST: "127.0.0.1",
      PORT: "0",
      ROOT_TOKEN: rootToken,
      LOG_LEVEL: "error",
      ...settings
    },
    stdio: ["ignore", "pipe", "inherit"]
  })
  track(child)
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      const [, found] = /listens at (\S+\/api\/v4)/.exec(line) ?? []
      if (found !== undefined) resolve(found)
    })
    child.once("exit", (code, signal) => reject(new Error(`the service ended with ${code ?? signal}`)))
  })
  return { url, child }
}

/** Runs the service for as long as `use` takes. */
export const withService = async <A>(
  settings: Readonly<Record<string, string>>,
  use: (service: Service) => Promise<A>
): Promise<A> => {
  const service = await startService(settings)
  try {
    return await use(service)
  } finally {
    await endProgram(service.child)
  }
}

/** Sends a request as root; fails unless it is answered with 2xx. */
export const ask = async ({ url }: Pick<Service, "url">, method: string, path: string, body?: unknown): Promise<unknown> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { "private-token": rootToken, "content-type": "application/json" },
    ...defined({ body: body === undefined ? undefined : JSON.stringify(body) })
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** A line of what the system tells of the service's process, in MiB; NaN where it does not. */
const memory = async ({ child }: Service, line: "VmRSS" | "VmHWM"): Promise<number> => {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "")
  return Number(new RegExp(`${line}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024
}

/** Resident memory of the service's process in MiB. Processes that it started do not count. */
export const residentMemory = (service: Service): Promise<number> => memory(service, "VmRSS")

/** The greatest resident memory that the service's process has had, in MiB. */
export const peakMemory = (service: Service): Promise<number> => memory(service, "VmHWM")
