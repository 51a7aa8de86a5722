import { describe, expect, it } from "vitest"
import { findingsOf } from "#src/cli/checks/processes.ts"
import type { Enforcement } from "#src/platform/processes/enforcement.ts"

const all: Enforcement = { memory: true, time: true, late: "holds", watch: true }
const warning = (detail: string, remedy: string) => ({ name: "processes", status: "warn", detail, remedy })

describe("what doctor tells of the limits of processes", () => {
  it.each<readonly [string, Partial<Enforcement>, unknown]>([
    [
      "all of them hold",
      {},
      { name: "processes", status: "ok", detail: "memory and time are limited, and they end with the service" }
    ],
    [
      "memory is not limited",
      { memory: false },
      warning("this system does not limit their memory", "run the service on Linux, or within a container's limit")
    ],
    [
      "time is not limited",
      { time: false },
      warning("this system does not limit their processor time", "run the service on Linux")
    ],
    [
      "nothing finds what is left",
      { watch: false },
      warning("there is no /proc, so a killed service leaves its processes behind", "end them by hand")
    ],
    ["prlimit does nothing", { late: "failing" }, warning("prlimit limits none that runs", "allow the system call prlimit64")],
    [
      "there is no prlimit",
      { late: "missing" },
      warning("prlimit is missing, so each of them starts a shell first", "install util-linux")
    ]
  ])("%s", (_, differs, expected) => {
    expect(findingsOf({ ...all, ...differs })).toEqual([expected])
  })

  it("several at once", () => {
    const findings = findingsOf({ memory: false, time: false, late: "missing", watch: false })
    expect(findings.map(({ detail }) => detail)).toEqual([
      "this system does not limit their memory",
      "this system does not limit their processor time",
      "there is no /proc, so a killed service leaves its processes behind"
    ])
  })
})
