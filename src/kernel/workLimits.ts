/** What one process of a class of work may use, and how many run at once. */
export interface WorkLimits {
  /** The memory in MiB. */
  readonly memory: number
  /** The processor time in seconds. */
  readonly cpu: number
  /** Seconds from start to end. */
  readonly wall: number
  /** The number of processes; absent where it follows the processors. */
  readonly places?: number
}

const hour = 3_600

/** The limits of each class for a machine of 4 GiB. */
export const defaultWorkLimits = {
  interactive: { memory: 512, cpu: 60, wall: 60 },
  transfer: { memory: 1024, cpu: hour, wall: 6 * hour },
  bulk: { memory: 768, cpu: hour, wall: hour },
  background: { memory: 1024, cpu: 2 * hour, wall: 3 * hour }
} as const satisfies Readonly<Record<string, WorkLimits>>

/** The MiB of memory of all processes together. */
export const defaultProcessMemory = 1280

const isPart = (name: string): name is keyof WorkLimits => ["memory", "cpu", "wall", "places"].includes(name)

/** Reads a text such as `places=4 memory=512`, which names some of the limits; undefined where it is none. */
export const parseWorkLimits = (text: string): Partial<WorkLimits> | undefined => {
  const limits: { -readonly [Part in keyof WorkLimits]?: number } = {}
  for (const word of text.trim().split(/\s+/)) {
    const [, name = "", amount = ""] = /^([a-z]+)=([1-9]\d{0,8})$/.exec(word) ?? []
    if (!isPart(name) || limits[name] !== undefined) return undefined
    limits[name] = Number(amount)
  }
  return limits
}
