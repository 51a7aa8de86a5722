import { Data, Effect } from "effect"
import { defined } from "../../kernel/defined.ts"
import { unavailable } from "../logging/unavailable.ts"
import type { Company } from "./Company.ts"

/** The queue is full, the request waited too long, or the machine has too few resources to start. As a defect it is answered as 503. */
export class TooBusy extends Data.TaggedError("TooBusy") {
  readonly [unavailable] = "too much is being asked for at the same time"
}

/** The one that all are refused with: where that was, nobody is told, and to find it out costs more than most of a refusal. */
export const tooBusy = new TooBusy()

/** Whose turn is asked for. */
export interface Turn {
  /** Callers take turns, so that one with many requests does not delay others. */
  readonly caller: string
  /** What is worked on, such as a repository; undefined where that has no share of its own. */
  readonly subject?: string
  /** All who wait for the same; the first of them who has a place takes it. */
  readonly company?: Company | undefined
}

export interface FairQueueOptions {
  /** The highest number of effects that run at once. */
  readonly concurrency: number
  /** The highest number of effects of one caller that run at once; the default is all. */
  readonly perCaller?: number
  /** The highest number of effects on one subject that run at once; the default is all. */
  readonly perSubject?: number
  /** The highest number of effects that wait. */
  readonly maxQueued: number
  /** The highest number of effects of one caller that wait; the default is all. */
  readonly maxQueuedPerCaller?: number
  /** An effect waits at most this many milliseconds. */
  readonly timeoutMillis: number
  /**
   * A place that is given up becomes free in the next turn of the event loop, so that of effects which take no longer than a turn, each turn has as
   * many as there are places, and what others do goes on between them. By default it becomes free at once.
   */
  readonly isFreedNextTurn?: true
  /** Is asked in that turn whether something else goes first, so that the places become free a turn later, but at most 64 turns or 20 milliseconds. */
  readonly isPutOff?: () => boolean
}

const maxTurnsPutOff = 64
/** Turns may be long themselves. */
const maxMillisPutOff = 20

/** A place in the queue, or among the running effects. */
interface Slot {
  /** Gives the place up; a second call does nothing. */
  readonly release: () => void
}

interface Waiting {
  readonly turn: Turn
  /** Takes the place, so that nobody else does. */
  readonly enter: () => void
  /** Begins. */
  readonly begin: () => void
}

/** How many there are of each key. */
class Counts {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string, difference: 1 | -1): void {
    const count = this.of(key) + difference
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }
}

/**
 * A semaphore with a fair queue: waiting effects take turns by caller, and no caller or subject has more than its share of the places.
 * No effect waits that could run.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  /** The waiting effects by caller, in the order of the callers' turns. */
  readonly #waiting = new Map<string, Array<Waiting>>()
  readonly #callers = new Counts()
  readonly #subjects = new Counts()
  #running = 0
  #queued = 0
  #refused = 0
  /** Whose places were given up and are not free yet. */
  #leaving: Array<Turn> = []

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  get running(): number {
    return this.#running
  }

  get queued(): number {
    return this.#queued
  }

  /** The number of effects that were refused so far, because the queue was full or they waited too long. */
  get refused(): number {
    return this.#refused
  }

  /** How many effects could begin in this turn without waiting. */
  room({ caller, subject }: Turn): number {
    const { concurrency, perCaller = concurrency, perSubject = concurrency } = this.#options
    const places = [concurrency - this.#running, perCaller - this.#callers.of(caller)]
    if (subject !== undefined) places.push(perSubject - this.#subjects.of(subject))
    return Math.max(0, Math.min(...places))
  }

  /** Runs the effect when there is a place for it. */
  run<A, E, R>(turn: Turn, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TooBusy, R> {
    return this.runLeaving(turn, () => effect)
  }

  /** Runs an effect when there is a place for it; it may `leave` before its end, and again. */
  runLeaving<A, E, R>(turn: Turn, use: (leave: Effect.Effect<void>) => Effect.Effect<A, E, R>): Effect.Effect<A, E | TooBusy, R> {
    return Effect.suspend(() => {
      const { entered, leave } = this.#entrance(turn)
      return Effect.ensuring(
        Effect.flatMap(entered, () => use(leave)),
        leave
      )
    })
  }

  #entrance({ caller, company, subject }: Turn) {
    const slots = new Set<Slot>()
    const entered = Effect.callback<void, TooBusy>((resume) => {
      let isOver = false
      let stop = () => {}
      const end = (result: Effect.Effect<void, TooBusy>, staying?: Slot) => {
        isOver = true
        stop()
        for (const slot of slots) if (slot !== staying) slot.release()
        slots.clear()
        if (staying !== undefined) slots.add(staying)
        resume(result)
      }
      /** Refuses, unless somebody in the company waits. */
      const refuse = () => {
        if (isOver || slots.size > 0) return
        this.#refused++
        end(Effect.fail(tooBusy))
      }
      const queue = (each: string) => {
        if (isOver) return
        const turn = { caller: each, ...defined({ subject }) }
        if (this.#hasPlaceFor(turn)) end(Effect.void, this.#enter(turn))
        else if (this.#mayWait(turn)) {
          const slot = this.#enqueue(turn, (isAdmitted) => {
            if (isOver) slot.release()
            else if (isAdmitted) end(Effect.void, slot)
            else {
              slots.delete(slot)
              refuse()
            }
          })
          slots.add(slot)
        }
      }
      if (company === undefined) queue(caller)
      else stop = company.queueEach(queue)
      if (isOver) stop()
      else refuse()
      return Effect.sync(() => {
        isOver = true
        stop()
      })
    })
    const leave = Effect.sync(() => {
      for (const slot of slots) slot.release()
    })
    return { entered, leave }
  }

  #hasPlaceForCaller(caller: string): boolean {
    const { concurrency, perCaller = concurrency } = this.#options
    return this.#callers.of(caller) < perCaller
  }

  #hasPlaceFor(turn: Turn): boolean {
    return this.room(turn) > 0
  }

  #mayWait({ caller }: Turn): boolean {
    const { maxQueued, maxQueuedPerCaller = maxQueued } = this.#options
    return this.#queued < maxQueued && (this.#waiting.get(caller)?.length ?? 0) < maxQueuedPerCaller
  }

  #count({ caller, subject }: Turn, difference: 1 | -1): void {
    this.#running += difference
    this.#callers.add(caller, difference)
    if (subject !== undefined) this.#subjects.add(subject, difference)
  }

  #enter(turn: Turn): Slot {
    let isInside = true
    this.#count(turn, 1)
    return {
      release: () => {
        if (!isInside) return
        isInside = false
        this.#leave(turn)
      }
    }
  }

  #enqueue(turn: Turn, answer: (isAdmitted: boolean) => void): Slot {
    let entered: Slot | undefined
    const waiting: Waiting = {
      turn,
      enter: () => {
        clearTimeout(timer)
        this.#queued--
        entered = this.#enter(turn)
      },
      begin: () => answer(true)
    }
    const ofCaller = this.#waiting.get(turn.caller) ?? []
    this.#waiting.set(turn.caller, ofCaller)
    ofCaller.push(waiting)
    this.#queued++
    const leave = () => {
      const place = ofCaller.indexOf(waiting)
      if (place < 0) return
      clearTimeout(timer)
      ofCaller.splice(place, 1)
      if (ofCaller.length === 0) this.#waiting.delete(turn.caller)
      this.#queued--
    }
    const timer = setTimeout(() => {
      leave()
      answer(false)
    }, this.#options.timeoutMillis)
    return { release: () => (entered === undefined ? leave() : entered.release()) }
  }

  #leave(turn: Turn): void {
    this.#leaving.push(turn)
    if (this.#options.isFreedNextTurn !== true) this.#free()
    else if (this.#leaving.length === 1) this.#freeInTurn(0, performance.now())
  }

  #freeInTurn(turnsPutOff: number, since: number): void {
    setImmediate(() => {
      const mayWait = turnsPutOff < maxTurnsPutOff && performance.now() - since < maxMillisPutOff
      if (mayWait && this.#options.isPutOff?.() === true) this.#freeInTurn(turnsPutOff + 1, since)
      else this.#free()
    })
  }

  /** Frees the places that were given up, and lets in all who have one then, callers in their turn. */
  #free(): void {
    const leaving = this.#leaving
    this.#leaving = []
    for (const turn of leaving) this.#count(turn, -1)
    const admitted: Array<Waiting> = []
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      next.enter()
      admitted.push(next)
    }
    for (const { begin } of admitted) begin()
  }

  /** Takes the first waiting effect that has a place out of the queue; its caller goes to the end. */
  #next(): Waiting | undefined {
    if (this.#running >= this.#options.concurrency) return undefined
    for (const [caller, ofCaller] of this.#waiting) {
      // Of a caller without a place nobody is looked at, however many wait.
      if (!this.#hasPlaceForCaller(caller)) continue
      const index = ofCaller.findIndex(({ turn }) => this.#hasPlaceFor(turn))
      if (index < 0) continue
      const [next] = ofCaller.splice(index, 1)
      this.#waiting.delete(caller)
      if (ofCaller.length > 0) this.#waiting.set(caller, ofCaller)
      return next
    }
    return undefined
  }
}
