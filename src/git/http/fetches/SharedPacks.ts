import type { Readable } from "node:stream"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { LRUCache } from "lru-cache"
import type { Company } from "../../../platform/work/Company.ts"
import { CurrentWork, joinCompany, sharedWork } from "../../../platform/work/CurrentWork.ts"
import type { TooBusy } from "../../../platform/work/FairQueue.ts"
import { Spool } from "../../process/spool.ts"
import type { ProcessEnd } from "../gitProcess.ts"

export interface SharedPacksOptions {
  /** Packs that are too large for memory lie here, in files without names. */
  readonly folder: string
  /** The highest number of bytes of all packs together. */
  readonly maxBytes: number
  /** The number of bytes that the disk of the folder may still take. */
  readonly spare: () => Promise<number>
}

/** Makes a pack. It calls `onStart` when the first bytes are there, and ends when all are written. */
export type MakePack = (spool: Spool, onStart: () => void) => Effect.Effect<ProcessEnd, TooBusy>

/** An answer to a fetch, as it is being made; it is to be read to its end or destroyed. */
export interface SharedPack {
  readonly content: Readable
  /** How the process that makes it ended. */
  readonly end: Effect.Effect<ProcessEnd, TooBusy>
}

interface Flight {
  readonly spool: Spool
  readonly started: Deferred.Deferred<void, TooBusy>
  readonly fiber: Fiber.Fiber<ProcessEnd, TooBusy>
  readonly company: Company
  /** The number of bytes that are kept free for it. */
  reserved: number
  readers: number
  /** Whether it is whole, and so may be given again. */
  isWhole: boolean
}

/** The first bytes of each pack that stay in memory. */
const memoryBytes = 256 * 1024
/** A pack that nobody asks for again is forgotten after this many milliseconds. */
const keptMillis = 10 * 60_000
/** So many packs are known to be too large. */
const maxTooLarge = 1_000

/**
 * Packs for fetches, made once for all who ask for the same at the same time, and given again while they are kept. `key` stands for all
 * that the answer follows from.
 */
export class SharedPacks {
  readonly #options: SharedPacksOptions
  /**
   * The packs by key, those first that were asked for least recently. An `LRUCache` would let go of one that is being made or read: it asks nobody
   * whether it may.
   */
  readonly #flights = new Map<string, Flight>()
  /** All that take room, also those that are given to nobody any more. */
  readonly #all = new Set<Flight>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  /** Keys of packs that were larger than the room. */
  readonly #tooLarge = new LRUCache<string, true>({ max: maxTooLarge })

  constructor(options: SharedPacksOptions) {
    this.#options = options
  }

  /**
   * Joins those who ask for the same pack, or has it made. `size` is the number of bytes to expect. Undefined where there is no room for it.
   * One that turns out larger than the room is given to those who have it by then, who wait for one another, and to nobody after them.
   */
  open(key: string, size: number, make: MakePack): Effect.Effect<SharedPack | undefined, TooBusy> {
    if (this.#tooLarge.has(key)) return Effect.undefined
    const joined = Effect.gen({ self: this }, function* () {
      const spare = this.#flights.has(key) ? 0 : yield* Effect.promise(this.#options.spare)
      // Somebody else may have asked meanwhile. From here on nothing is waited for.
      const flight = this.#flights.get(key) ?? (this.#makeRoom(size, spare) ? yield* this.#start(key, size, make) : undefined)
      if (flight !== undefined) yield* joinCompany(flight.company)
      return flight
    })
    return Effect.uninterruptible(
      Effect.flatMap(joined, (flight) => (flight === undefined ? Effect.undefined : this.#read(key, flight)))
    )
  }

  /** Ends what is being made and forgets the rest. */
  readonly close: Effect.Effect<void> = Effect.suspend(() =>
    Effect.forEach([...this.#flights.keys()], (key) => this.#remove(key), { discard: true })
  )

  #read(key: string, flight: Flight): Effect.Effect<SharedPack | undefined, TooBusy> {
    if (!flight.spool.hasBeginning) return Effect.undefined
    flight.readers++
    const content = flight.spool.reader(() => this.#leave(key, flight))
    // It is the one asked for last now.
    if (this.#flights.get(key) === flight) {
      this.#flights.delete(key)
      this.#flights.set(key, flight)
      this.#touch(key)
    }
    return Effect.interruptible(Deferred.await(flight.started)).pipe(
      Effect.onError(() => Effect.sync(() => content.destroy())),
      Effect.map(() => ({ content, end: Fiber.join(flight.fiber) }))
    )
  }

  #start(key: string, size: number, make: MakePack): Effect.Effect<Flight> {
    return Effect.gen({ self: this }, function* () {
      const { folder, spare } = this.#options
      const mayGrow = (bytes: number) => this.#mayGrow(key, flight, bytes)
      const spool = Spool.create(folder, { bytes: Number.POSITIVE_INFINITY, spare, memory: memoryBytes, mayGrow })
      const started = Deferred.makeUnsafe<void, TooBusy>()
      const making = make(spool, () => Deferred.doneUnsafe(started, Exit.void)).pipe(
        Effect.onExit((exit) => Effect.sync(() => this.#conclude(key, flight, exit)))
      )
      const shared = yield* sharedWork
      const inTurn = Effect.provideService(Effect.andThen(Effect.yieldNow, making), CurrentWork, shared)
      const fiber = yield* Effect.forkDetach(Effect.interruptible(inTurn))
      const flight: Flight = { spool, started, fiber, company: shared.company, reserved: size, readers: 0, isWhole: false }
      this.#flights.set(key, flight)
      this.#all.add(flight)
      return flight
    })
  }

  /** Keeps what is whole and lies on the disk; the rest is made again as fast. */
  #conclude(key: string, flight: Flight, exit: Exit.Exit<ProcessEnd, TooBusy>): void {
    if (Exit.isSuccess(exit)) flight.spool.finish()
    else flight.spool.fail(new Error("The pack broke off"))
    Deferred.doneUnsafe(flight.started, Exit.asVoid(exit))
    const { fileBytes, hasBeginning } = flight.spool
    flight.isWhole = Exit.isSuccess(exit) && exit.value.status === 0 && hasBeginning && fileBytes > 0
    flight.reserved = fileBytes
    if (!flight.isWhole && this.#flights.get(key) === flight) this.#forget(key)
  }

  #leave(key: string, flight: Flight): void {
    if (--flight.readers > 0) return
    if (this.#flights.get(key) !== flight) Effect.runFork(this.#close(flight))
    else if (!flight.isWhole) Effect.runFork(this.#remove(key))
  }

  /** Whether there is room, for which packs that nobody reads are forgotten. `spare` is the number of bytes that the disk may take. */
  #makeRoom(size: number, spare: number): boolean {
    return this.#giveWay(size) && (size <= memoryBytes || spare > size)
  }

  /** Forgets packs that nobody reads until there is room for so many more bytes; whether there is. */
  #giveWay(bytes: number): boolean {
    const { maxBytes } = this.#options
    let used = [...this.#all].reduce((sum, { reserved }) => sum + reserved, bytes)
    for (const [key, flight] of [...this.#flights]) {
      if (used <= maxBytes) break
      if (!flight.isWhole || flight.readers > 0) continue
      used -= flight.reserved
      flight.reserved = 0
      Effect.runFork(this.#remove(key))
    }
    return used <= maxBytes
  }

  /**
   * Whether the file of a pack may grow by so many bytes: objects that are in no pack were not expected, nor what a client lets leave out the
   * others that it is made of. One that may not loses its beginning, so nobody else can have it.
   */
  #mayGrow(key: string, flight: Flight, bytes: number): boolean {
    const missing = flight.spool.fileBytes + bytes - flight.reserved
    if (missing > 0) {
      if (!this.#giveWay(missing)) {
        if (this.#flights.get(key) === flight) this.#forget(key)
        this.#tooLarge.set(key, true)
        return false
      }
      flight.reserved += missing
    }
    return true
  }

  #touch(key: string): void {
    clearTimeout(this.#timers.get(key))
    const expire = () => {
      const flight = this.#flights.get(key)
      if (flight !== undefined && (flight.readers > 0 || !flight.isWhole)) this.#touch(key)
      else Effect.runFork(this.#remove(key))
    }
    this.#timers.set(key, setTimeout(expire, keptMillis).unref())
  }

  /** Gives it to nobody any more. */
  #forget(key: string): void {
    clearTimeout(this.#timers.get(key))
    this.#timers.delete(key)
    this.#flights.delete(key)
  }

  /** Forgets it, and ends it unless somebody reads it. */
  #remove(key: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      const flight = this.#flights.get(key)
      this.#forget(key)
      return flight === undefined || flight.readers > 0 ? Effect.void : this.#close(flight)
    })
  }

  #close(flight: Flight): Effect.Effect<void> {
    return Effect.andThen(
      Fiber.interrupt(flight.fiber),
      Effect.promise(() => flight.spool.close().finally(() => this.#all.delete(flight)))
    )
  }
}
