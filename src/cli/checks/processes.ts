import { Effect } from "effect"
import { type Enforcement, enforcement } from "../../platform/processes/enforcement.ts"
import { checked, type Finding, ok, warn } from "./Finding.ts"

const name = "processes"

/** What to tell of the limits that hold. */
export const findingsOf = ({ late, memory, time, watch }: Enforcement): ReadonlyArray<Finding> => {
  const findings: ReadonlyArray<Finding | false> = [
    !memory && warn(name, "this system does not limit their memory", "run the service on Linux, or within a container's limit"),
    !time && warn(name, "this system does not limit their processor time", "run the service on Linux"),
    !watch && warn(name, "there is no /proc, so a killed service leaves its processes behind", "end them by hand"),
    late === "failing" && warn(name, "prlimit limits none that runs", "allow the system call prlimit64"),
    memory && late === "missing" && warn(name, "prlimit is missing, so each of them starts a shell first", "install util-linux")
  ]
  const found = findings.filter((finding) => finding !== false)
  return found.length > 0 ? found : [ok(name, "memory and time are limited, and they end with the service")]
}

/** Whether the limits of processes hold on this machine. */
export const checkProcesses = checked(name, "see the log", Effect.map(Effect.promise(enforcement), findingsOf))
