import { Context, Effect } from "effect"
import { defined } from "../../kernel/defined.ts"
import { cores } from "./cores.ts"
import { FairQueue, type FairQueueOptions, type TooBusy } from "./FairQueue.ts"

/** How many requests are answered at once. */
interface RequestLimits {
  /** Reads of those who have no token: all together, so that many addresses take nothing from those who have one. */
  readonly anonymous: number
  /** Reads of each user: enough for all processors, and so few that others hardly notice. */
  readonly perUser: number
}

export const defaultRequestLimits: RequestLimits = { anonymous: Math.max(4, 2 * cores), perUser: Math.max(4, 2 * cores) }

/** A user may have so many times as many writes as reads: they mostly wait for the disk, and those of the same time are committed together. */
const writesPerRead = 8

/** Who waits longer is told 503. */
const timeoutMillis = 30_000

export interface RequestPlaces {
  /** Requests that begin in the same turn of the event loop, by who seems to have sent them. */
  readonly starts: FairQueue
  readonly anonymous: FairQueue
  readonly user: FairQueue
  readonly writes: FairQueue
}

/** Others than one user are not counted: each has so many places. */
const ofEach = (perCaller: number): FairQueue =>
  new FairQueue({
    concurrency: Number.POSITIVE_INFINITY,
    perCaller,
    maxQueued: Number.POSITIVE_INFINITY,
    maxQueuedPerCaller: 1_000,
    timeoutMillis,
    isFreedNextTurn: true
  })

/**
 * What a turn of the event loop begins takes about 20 ms at most, and a quarter of it for one sender: what is refused or short ends in the turn in
 * which it began. A connection has one request at a time, so that no more of them wait than there are connections.
 */
const startsPerTurn: FairQueueOptions = {
  concurrency: 64,
  perCaller: 16,
  maxQueued: Number.POSITIVE_INFINITY,
  timeoutMillis,
  isFreedNextTurn: true
}

/**
 * Half of the places of those without a token are for others than any one address. While a connection `arrives` in each
 * turn, more requests begin up to 64 turns later.
 */
export const makeRequestPlaces = ({ anonymous, perUser }: RequestLimits, arrives?: () => boolean): RequestPlaces => ({
  starts: new FairQueue({ ...startsPerTurn, ...defined({ isPutOff: arrives }) }),
  anonymous: new FairQueue({
    concurrency: anonymous,
    perCaller: Math.max(1, Math.ceil(anonymous / 2)),
    maxQueued: 1_000,
    maxQueuedPerCaller: 100,
    timeoutMillis,
    isFreedNextTurn: true
  }),
  user: ofEach(perUser),
  writes: ofEach(writesPerRead * perUser)
})

/** Whose requests are answered now, and whose wait. */
export const RequestPlaces = Context.Reference<RequestPlaces>("chronoforge/platform/RequestPlaces", {
  defaultValue: () => makeRequestPlaces(defaultRequestLimits)
})

const CurrentRequestPlace = Context.Reference<Effect.Effect<void>>("chronoforge/platform/CurrentRequestPlace", {
  defaultValue: () => Effect.void
})

/**
 * Waits until a request may begin. Its sender is known by what it has for a token, which nobody has looked at yet, from wherever it comes, or
 * else by the address.
 */
export const awaitStart = (token: string | undefined, network: string): Effect.Effect<void, TooBusy> =>
  Effect.flatMap(RequestPlaces, ({ starts }) => starts.run({ caller: token || network }, Effect.void))

/** Answers a request in its turn: of a user, or of an address without one. Before that, nothing of it is done. */
export const inRequestPlace = <A, E, R>(
  kind: Exclude<keyof RequestPlaces, "starts">,
  caller: string,
  answer: Effect.Effect<A, E, R>
): Effect.Effect<A, E | TooBusy, R> =>
  Effect.flatMap(RequestPlaces, (places) =>
    places[kind].runLeaving({ caller }, (leave) => Effect.provideService(answer, CurrentRequestPlace, leave))
  )

/**
 * Gives up the place of the request that is answered, if it has one: what waits for a process, or for work that others share, waits there in its
 * turn, and keeps nobody from short answers meanwhile.
 */
export const leaveRequestPlace: Effect.Effect<void> = Effect.flatten(CurrentRequestPlace)
