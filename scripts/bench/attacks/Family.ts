import { setTimeout as sleep } from "node:timers/promises"
import { childrenOf, processIds, procText, statOf } from "../processTimes.ts"

/** A process of the service; the key stays its own when the id is used again. */
export interface Member {
  readonly pid: number
  readonly key: string
  /** The words that it was started with. */
  readonly command: string
}

interface Found extends Member {
  readonly parent: number
}

/** In MiB: the memory that is the processes' own, and the plain sum of what is resident, where shared pages count for each. */
export interface Memory {
  readonly own: number
  readonly plain: number
}

const mebibyteOfKilobytes = 1024
const words = (pid: number, file: "cmdline" | "environ"): string => procText(`${pid}/${file}`).replaceAll("\0", " ")

/**
 * The processes of a service: it, those that it or they started, and those that name its data folder, such as what a service that was killed
 * has left. The server of the database is none of them.
 */
export class Family {
  readonly #service: number
  readonly #dataDir: string
  readonly #known = new Map<string, string>()
  readonly #others = new Set<string>()

  constructor(service: number, dataDir: string) {
    this.#service = service
    this.#dataDir = dataDir
  }

  /** The members that live. */
  members(): ReadonlyArray<Member> {
    const found = new Map(this.#all().map((each) => [each.pid, each]))
    const isMember = (each: Found, depth = 0): boolean => {
      if (each.pid === this.#service || this.#known.has(each.key)) return true
      const parent = found.get(each.parent)
      if (parent !== undefined && depth < 20 && isMember(parent, depth + 1)) return true
      return this.#namesFolder(each)
    }
    const members: Array<Member> = []
    for (const each of found.values()) {
      if (!isMember(each)) continue
      // What was just forked still has the words of its parent.
      const command = words(each.pid, "cmdline") || (this.#known.get(each.key) ?? "")
      this.#known.set(each.key, command)
      members.push({ ...each, command })
    }
    return members
  }

  /** The ids of the service and of all that it started, which is found at once; not those that lost their parent. */
  descendants(pid = this.#service): ReadonlyArray<number> {
    return [pid, ...childrenOf(pid).flatMap((child) => this.descendants(child))]
  }

  #namesFolder({ key, pid }: Found): boolean {
    if (this.#others.has(key)) return false
    const isNamed = `${words(pid, "cmdline")} ${words(pid, "environ")}`.includes(this.#dataDir)
    if (!isNamed) this.#others.add(key)
    return isNamed
  }

  #all(): ReadonlyArray<Found> {
    return processIds().flatMap((pid) => {
      const stat = statOf(pid)
      return stat === undefined || stat.hasEnded ? [] : [{ pid, key: `${pid} ${stat.started}`, parent: stat.parent, command: "" }]
    })
  }

  /** The service's own memory is all that is resident; of its children only what is not mapped from files that they share. */
  memoryOf(pid: number): Memory {
    const status = procText(`${pid}/status`)
    const line = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / mebibyteOfKilobytes
    const plain = line("VmRSS")
    return { plain, own: pid === this.#service ? plain : line("RssAnon") + line("RssShmem") }
  }
}

export const endProcess = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It has ended by itself.
  }
}

/** The machine is not ours alone: far beyond every bar, the largest process is ended. */
const maxMebibytes = 6 * 1024
const everyMillis = 100
/** One look in so many is at all processes of the machine, which costs more, so that none is forgotten that lost its parent. */
const wholeInterval = 10

/** Looks at the memory of all processes ten times a second for as long as `use` takes, which is given the highest sums so far. */
export const watchingMemory = async <A>(family: Family, use: (peak: () => Memory) => Promise<A>): Promise<A> => {
  let isOver = false
  let peak: Memory = { own: 0, plain: 0 }
  let orphans: ReadonlyArray<number> = []
  const look = (isWhole: boolean): void => {
    const descendants = new Set(family.descendants())
    if (isWhole)
      orphans = family
        .members()
        .map(({ pid }) => pid)
        .filter((pid) => !descendants.has(pid))
    const measured = [...descendants, ...orphans].map((pid) => ({ pid, ...family.memoryOf(pid) }))
    const sum = (of: keyof Memory) => measured.reduce((total, memory) => total + memory[of], 0)
    peak = { own: Math.max(peak.own, sum("own")), plain: Math.max(peak.plain, sum("plain")) }
    const [largest] = measured.toSorted((a, b) => b.own - a.own)
    if (sum("own") < maxMebibytes || largest === undefined) return
    process.stderr.write(`  ended to spare the machine: process ${largest.pid} with ${Math.round(largest.own)} MiB\n`)
    endProcess(largest.pid)
  }
  const looking = (async () => {
    for (let looks = 0; !isOver; looks++) {
      look(looks % wholeInterval === 0)
      await sleep(everyMillis)
    }
  })()
  try {
    return await use(() => peak)
  } finally {
    isOver = true
    await looking
  }
}
