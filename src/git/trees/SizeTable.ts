import { randomBytes } from "node:crypto"

/** What a tree expands to when it is walked with everything below it. */
export interface TreeSize {
  /** The number of paths below it: files, directories, submodules. */
  readonly paths: number
  /** The number of names in its longest path; 0 for a tree without entries. */
  readonly depth: number
}

const multipliers = Array.from({ length: 10 }, () => randomBytes(4).readUInt32LE() | 1)
const [a0 = 1, a1 = 1, a2 = 1, a3 = 1, a4 = 1, b0 = 1, b1 = 1, b2 = 1, b3 = 1, b4 = 1] = multipliers

const word = (data: Uint8Array, at: number): number =>
  (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8) | ((data[at + 2] ?? 0) << 16) | ((data[at + 3] ?? 0) << 24)

/**
 * A number from 1 to 2^53 that stands for the 20 bytes of an id: tables of numbers take a quarter of the memory of tables of ids. It depends
 * on secret random numbers of this process, so that nobody can make two trees with the same one.
 */
export const keyOf = (data: Uint8Array, at: number): number => {
  const [w0, w1, w2, w3, w4] = [word(data, at), word(data, at + 4), word(data, at + 8), word(data, at + 12), word(data, at + 16)]
  const high = Math.imul(w0, a0) + Math.imul(w1, a1) + Math.imul(w2, a2) + Math.imul(w3, a3) + Math.imul(w4, a4)
  const low = Math.imul(w0, b0) + Math.imul(w1, b1) + Math.imul(w2, b2) + Math.imul(w3, b3) + Math.imul(w4, b4)
  return (high >>> 0) * 0x200000 + (low >>> 11) + 1
}

const minCapacity = 1024

/** Sizes of trees by `keyOf` their ids: 14 bytes a slot, of which at least a third is in use once there are a thousand. */
export class SizeTable {
  /** 0 stands for a slot that is free. */
  #keys = new Float64Array(minCapacity)
  #paths = new Uint32Array(minCapacity)
  #depths = new Uint16Array(minCapacity)
  #size = 0

  get size(): number {
    return this.#size
  }

  find(key: number): TreeSize | undefined {
    const slot = this.#slotOf(key)
    return this.#keys[slot] === key ? { paths: this.#paths[slot] ?? 0, depth: this.#depths[slot] ?? 0 } : undefined
  }

  set(key: number, { depth, paths }: TreeSize): void {
    if (this.#size * 4 > this.#keys.length * 3) this.#grow()
    const slot = this.#slotOf(key)
    if (this.#keys[slot] !== key) this.#size++
    this.#keys[slot] = key
    this.#paths[slot] = paths
    this.#depths[slot] = depth
  }

  /** Where a key is, or would be put. */
  #slotOf(key: number): number {
    const mask = this.#keys.length - 1
    let slot = (key >>> 0) & mask
    for (let found = this.#keys[slot]; found !== 0 && found !== key; found = this.#keys[slot]) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const [keys, paths, depths] = [this.#keys, this.#paths, this.#depths]
    this.#keys = new Float64Array(keys.length * 2)
    this.#paths = new Uint32Array(keys.length * 2)
    this.#depths = new Uint16Array(keys.length * 2)
    keys.forEach((key, from) => {
      if (key === 0) return
      const slot = this.#slotOf(key)
      this.#keys[slot] = key
      this.#paths[slot] = paths[from] ?? 0
      this.#depths[slot] = depths[from] ?? 0
    })
  }
}

/** The sizes of the trees that were met last, at least `capacity` of them and at most twice as many: what a push leaves as it was is among them. */
export class RecentSizes {
  readonly #capacity: number
  #newer = new SizeTable()
  #older = new SizeTable()

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  find(key: number): TreeSize | undefined {
    const recent = this.#newer.find(key)
    if (recent !== undefined) return recent
    const size = this.#older.find(key)
    if (size !== undefined) this.set(key, size)
    return size
  }

  set(key: number, size: TreeSize): void {
    if (this.#newer.size >= this.#capacity) [this.#older, this.#newer] = [this.#newer, new SizeTable()]
    this.#newer.set(key, size)
  }
}
