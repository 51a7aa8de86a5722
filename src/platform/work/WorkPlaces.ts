import { Context, Effect } from "effect"
import { defaultWorkLimits, type WorkLimits } from "../../kernel/workLimits.ts"
import { CurrentWork, inClass, type WorkClass } from "./CurrentWork.ts"
import { cores } from "./cores.ts"
import { FairQueue, type FairQueueOptions, type TooBusy } from "./FairQueue.ts"
import { leaveRequestPlace } from "./RequestPlaces.ts"

/** The places of each class. */
export type PlaceOptions = Readonly<Record<WorkClass, FairQueueOptions>>

const half = (places: number): number => Math.max(1, Math.ceil(places / 2))

/** Half of the places are for others than any one caller, a quarter for others than any one repository. */
const shares = (places: number) => ({
  concurrency: places,
  perCaller: half(places),
  perSubject: Math.max(1, Math.floor((places * 3) / 4))
})

/** Of the queue, nine tenths are for others than any one caller. */
const shared = (places: number, timeoutMillis: number): FairQueueOptions => ({
  ...shares(places),
  maxQueued: 1_000,
  maxQueuedPerCaller: 100,
  timeoutMillis
})

/** Nobody waits for what is in the background, so it waits as long as it has to. */
const unboundedQueue = (places: number): FairQueueOptions => ({
  ...shares(places),
  maxQueued: Number.POSITIVE_INFINITY,
  timeoutMillis: 2 ** 31 - 1
})

/** The places of a machine with as many processors as this one, or as many as are given. */
export const placesFor = (given: Readonly<Record<WorkClass, WorkLimits>>): PlaceOptions => ({
  interactive: shared(given.interactive.places ?? Math.max(4, 2 * cores), 30_000),
  transfer: shared(given.transfer.places ?? Math.max(8, 2 * cores), 60_000),
  bulk: shared(given.bulk.places ?? Math.max(3, cores), 60_000),
  background: unboundedQueue(given.background.places ?? Math.max(4, cores))
})

export const defaultPlaces: PlaceOptions = placesFor(defaultWorkLimits)

export type WorkPlaces = Readonly<Record<WorkClass, FairQueue>>

export const makeWorkPlaces = (options: PlaceOptions): WorkPlaces => ({
  interactive: new FairQueue(options.interactive),
  transfer: new FairQueue(options.transfer),
  bulk: new FairQueue(options.bulk),
  background: new FairQueue(options.background)
})

/** Who may run how much at once: shared by all work of this process. */
export const WorkPlaces = Context.Reference<WorkPlaces>("chronoforge/platform/WorkPlaces", {
  defaultValue: () => makeWorkPlaces(defaultPlaces)
})

const queueAndTurn = (subject: string) =>
  Effect.flatMap(CurrentWork, ({ caller, class: workClass, company }) =>
    Effect.map(WorkPlaces, (places) => ({ queue: places[workClass], turn: { caller, subject, company } }))
  )

const placeFor = (subject: string) => Effect.andThen(leaveRequestPlace, queueAndTurn(subject))

/** Runs an effect that works on `subject`, when the class of the current work has a place for its caller. */
export const inPlace = <A, E, R>(subject: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TooBusy, R> =>
  Effect.flatMap(placeFor(subject), ({ queue, turn }) => queue.run(turn, effect))

/**
 * Runs an effect that holds much at once, such as the commits of a long history, when there is a place for `bulk` work; what it starts takes
 * places of its own class.
 */
export const inBulkPlace = <A, E, R>(subject: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TooBusy, R> =>
  Effect.flatMap(CurrentWork, (work) => inClass("bulk")(inPlace(subject, Effect.provideService(effect, CurrentWork, work))))

/** How many places the current work could take for `subject` without waiting. */
export const roomFor = (subject: string): Effect.Effect<number> =>
  Effect.map(queueAndTurn(subject), ({ queue, turn }) => queue.room(turn))
