import { Context } from "effect"
import { nicenessOf, type WorkClass } from "../work/CurrentWork.ts"
import { Monitor } from "./Monitor.ts"
import { markedEnvironment } from "./marker.ts"
import { countEnd, countKilled, countStart } from "./metrics.ts"
import { defaultProcessLimits, type ExceededLimit, type ProcessLimit, type ProcessLimits } from "./ProcessLimits.ts"
import type { Child, OnOutput } from "./spawner/Child.ts"
import type { StartOptions } from "./spawner/messages.ts"
import { spawner } from "./spawner/Spawner.ts"
import { lowerSession } from "./spawner/sessionPriority.ts"
import { hasPrlimit, Warden } from "./Warden.ts"

export interface ProcessOptions extends Omit<StartOptions, "niceness"> {
  readonly class: WorkClass
  /** Takes the standard output in place of `stdout`. */
  readonly onOutput?: OnOutput | undefined
  /** Whether the process serves many requests, so that its time and priority are not limited, and its memory is only watched. */
  readonly isLasting?: boolean
}

/** A process that runs within the limits of its class. */
export interface LimitedChild extends Child {
  /** The limit that it exceeded, as far as is known when it has ended: how it ended and what it wrote tell the rest. */
  readonly exceeded: () => ExceededLimit | undefined
}

/** Starts processes: all of them but those of the database. */
export interface Processes {
  readonly limits: ProcessLimits
  /** Starts a program; whoever starts it must end it. It ends with this process at the latest, however that ends. */
  readonly start: (command: string, args: ReadonlyArray<string>, options: ProcessOptions) => LimitedChild
}

const kibibyte = 1024
const forever: Pick<ProcessLimit, "cpu" | "wall"> = { cpu: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY }

/** Starts a program with the limits of the shell: `$1` kibibytes, `$2` and `$3` seconds, then the command. */
const limiter = 'ulimit -c 0; ulimit -d "$1"; ulimit -S -t "$2"; ulimit -H -t "$3"; shift 3; exec "$@"'

const limitedCommand = ({ cpu, memory }: ProcessLimit, command: string, args: ReadonlyArray<string>): ReadonlyArray<string> => [
  "-c",
  limiter,
  "sh",
  String(Math.floor(memory / kibibyte)),
  String(cpu),
  String(cpu + 5),
  command,
  ...args
]

export const makeProcesses = (limits: ProcessLimits): Processes => {
  const monitor = new Monitor(limits)
  const warden = new Warden()
  return {
    limits,
    start: (command, args, { class: workClass, cwd = "/", detached = false, env, isLasting = false, onOutput, stdio }) => {
      const limit = isLasting ? { ...limits[workClass], ...forever } : limits[workClass]
      // Short processes pay nothing for a limit that they do not reach. What starts others hands its limits on from the first moment.
      const isLate = isLasting || (workClass === "interactive" && hasPrlimit)
      warden.start()
      const niceness = isLasting ? 0 : nicenessOf[workClass]
      const startOptions = { cwd, detached, niceness, stdio, env: { ...env, ...markedEnvironment } }
      const child = isLate
        ? spawner.start(command, args, startOptions, onOutput)
        : spawner.start("/bin/sh", limitedCommand(limit, command, args), startOptions, onOutput)
      let exceeded: ExceededLimit | undefined
      const onExceeded = (which: ExceededLimit) => {
        if (exceeded === undefined) countKilled(workClass, which)
        exceeded ??= which
      }
      child.once("error", () => countStart(workClass, "failed"))
      child.once("spawn", () => {
        countStart(workClass, "started")
        const limitLate = isLate && !isLasting ? (id: number) => warden.limit(id, limit) : undefined
        const lower = (id: number) => lowerSession(id, niceness)
        const mustRetry = detached && !isLasting && child.pid !== undefined && !lower(child.pid)
        monitor.watch({ child, limit, isLasting, limitLate, lowerSession: mustRetry ? lower : undefined, onExceeded })
      })
      child.once("exit", (_status, signal) => {
        countEnd(workClass)
        if (signal === "SIGXCPU") onExceeded("time")
      })
      return Object.assign(child, { exceeded: () => exceeded })
    }
  }
}

/** Shared by all work of this process. */
export const Processes = Context.Reference<Processes>("chronoforge/platform/Processes", {
  defaultValue: () => makeProcesses(defaultProcessLimits)
})
