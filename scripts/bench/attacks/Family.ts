import { readFile } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { processIds, statOf } from "../processTimes.ts"

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
const words = async (pid: number, file: "cmdline" | "environ"): Promise<string> =>
  (await readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "")).replaceAll("\0", " ")

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
  async members(): Promise<ReadonlyArray<Member>> {
    const found = new Map((await this.#all()).map((each) => [each.pid, each]))
    const isMember = async (each: Found, depth = 0): Promise<boolean> => {
      if (each.pid === this.#service || this.#known.has(each.key)) return true
      const parent = found.get(each.parent)
      if (parent !== undefined && depth < 20 && (await isMember(parent, depth + 1))) return true
      return this.#namesFolder(each)
    }
    const members: Array<Member> = []
    for (const each of found.values()) {
      if (!(await isMember(each))) continue
      // What was just forked still has the words of its parent.
      const command = (await words(each.pid, "cmdline")) || (this.#known.get(each.key) ?? "")
      this.#known.set(each.key, command)
      members.push({ ...each, command })
    }
    return members
  }

  async #namesFolder({ key, pid }: Found): Promise<boolean> {
    if (this.#others.has(key)) return false
    const isNamed = `${await words(pid, "cmdline")} ${await words(pid, "environ")}`.includes(this.#dataDir)
    if (!isNamed) this.#others.add(key)
    return isNamed
  }

  async #all(): Promise<ReadonlyArray<Found>> {
    const stats = await Promise.all((await processIds()).map(async (pid) => ({ pid, stat: await statOf(pid) })))
    return stats.flatMap(({ pid, stat }) =>
      stat === undefined || stat.hasEnded ? [] : [{ pid, key: `${pid} ${stat.started}`, parent: stat.parent, command: "" }]
    )
  }

  /** The service's own memory is all that is resident; of its children only what is not mapped from files that they share. */
  async memoryOf({ pid }: Member): Promise<Memory> {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
    const line = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / mebibyteOfKilobytes
    const plain = line("VmRSS")
    return { plain, own: pid === this.#service ? plain : line("RssAnon") + line("RssShmem") }
  }
}

export const endProcess = ({ pid }: Member): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It has ended by itself.
  }
}

/** The machine is not ours alone: far beyond every bar, the largest process is ended. */
const maxMebibytes = 6 * 1024
const everyMillis = 100

/** Looks at the memory of all processes ten times a second for as long as `use` takes, which is given the highest sums so far. */
export const watchingMemory = async <A>(family: Family, use: (peak: () => Memory) => Promise<A>): Promise<A> => {
  let isOver = false
  let peak: Memory = { own: 0, plain: 0 }
  const look = async (): Promise<void> => {
    const measured = await Promise.all(
      (await family.members()).map(async (member) => ({ member, memory: await family.memoryOf(member) }))
    )
    const sum = (of: keyof Memory) => measured.reduce((total, { memory }) => total + memory[of], 0)
    peak = { own: Math.max(peak.own, sum("own")), plain: Math.max(peak.plain, sum("plain")) }
    const [largest] = measured.toSorted((a, b) => b.memory.own - a.memory.own)
    if (sum("own") < maxMebibytes || largest === undefined) return
    process.stderr.write(`  ended to spare the machine: ${largest.member.command} with ${Math.round(largest.memory.own)} MiB\n`)
    endProcess(largest.member)
  }
  const looking = (async () => {
    while (!isOver) {
      await look()
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
