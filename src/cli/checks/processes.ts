import { Effect } from "effect"
import { enforcement } from "../../platform/processes/enforcement.ts"
import { checked, type Finding, ok, warn } from "./Finding.ts"

const name = "processes"

/** Whether the limits of processes hold on this machine. */
export const checkProcesses = checked(
  name,
  "see the log",
  Effect.map(Effect.promise(enforcement), ({ late, memory, watch }) => {
    const findings: ReadonlyArray<Finding | false> = [
      !memory && warn(name, "this system does not limit their memory", "run the service on Linux, or within a container's limit"),
      !watch && warn(name, "there is no /proc, so a killed service leaves its processes behind", "end them by hand"),
      memory && !late && warn(name, "prlimit is missing, so each of them starts a shell first", "install util-linux")
    ]
    const found = findings.filter((finding) => finding !== false)
    return found.length > 0 ? found : [ok(name, "memory and time are limited, and they end with the service")]
  })
)
