import { readdirSync, readFileSync, readlinkSync } from "node:fs"

/** Processes carry the marker of the service that started them, or whose processes did, in this variable of their environment. */
const variable = "CHRONOFORGE_PARENT"

const quietly = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** When a process started, in ticks since the machine did; undefined where there is none, or the system does not tell. */
const startOf = (id: number): string | undefined =>
  // The name, in brackets, may hold anything.
  quietly(() => readFileSync(`/proc/${id}/stat`, "latin1"))
    ?.split(") ")
    .at(-1)
    ?.split(" ")[19]

/** Ids mean something within a namespace only. */
const namespace = quietly(() => readlinkSync("/proc/self/ns/pid")) ?? ""

/** Names this very process among all that ever run on the machine, such as `4711:52880:pid:[4026531836]`. */
const markerOf = (id: number): string => `${id}:${startOf(id) ?? ""}:${namespace}`

export const marker = `${variable}=${markerOf(process.pid)}`

/** The variable with which processes are started. */
export const markedEnvironment: Readonly<Record<string, string>> = { [variable]: markerOf(process.pid) }

const inEnvironment = new RegExp(`(?:^|\\0)${variable}=([^\\0]*)`)

/** The processes of this machine that a service started which is gone. */
export const orphans = (): ReadonlyArray<number> =>
  (quietly(() => readdirSync("/proc")) ?? []).map(Number).filter((id) => {
    if (!Number.isInteger(id)) return false
    const [, parent] = inEnvironment.exec(quietly(() => readFileSync(`/proc/${id}/environ`, "latin1")) ?? "") ?? []
    return parent?.endsWith(`:${namespace}`) === true && parent !== markerOf(Number(parent.split(":")[0]))
  })

/** What they start meanwhile needs another look. One that waits for a disk may not end for long, and is waited for no longer. */
const maxLooks = 5

/** Ends all that `look` finds, with what they start meanwhile; answers how many there were. */
export const endOrphans = (look: () => ReadonlyArray<number> = orphans): number => {
  const ended = new Set<number>()
  for (let looks = 0; looks < maxLooks; looks++) {
    for (const id of look()) {
      quietly(() => process.kill(id, "SIGKILL"))
      ended.add(id)
    }
  }
  return ended.size
}
