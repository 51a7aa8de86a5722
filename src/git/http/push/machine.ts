import { defined } from "../../../kernel/defined.ts"
import { type TooBusy, tooBusy } from "../../../platform/work/FairQueue.ts"
import type { ProcessLimit } from "../../Repository.ts"
import type { RefUpdate } from "../../refs/pushedRefs.ts"
import type { ScheduledMoves } from "../../refs/trackMoves.ts"
import type { ProcessEnd } from "../gitProcess.ts"
import type { BodyRefused } from "../requestBody.ts"
import type { PushQuestion } from "./HookDialogue.ts"

/** Texts by full names of refs. */
export type Refusals = ReadonlyMap<string, string>

/** What the client is told besides what git said. */
export interface Outcome {
  readonly refusals: Refusals
  readonly lines: ReadonlyArray<string>
  /** Why the body was given to git no further. */
  readonly fault?: BodyRefused
  readonly exceeded?: ProcessLimit
}

/** How the `git` of a push ended. */
export interface GitEnd extends ProcessEnd {
  /** The full names of the refs that git reported as moved; undefined when it reported nothing. */
  readonly reported: ReadonlySet<string> | undefined
  /** Whether it said something before that went to the client at once. */
  readonly isAnswered: boolean
}

interface Questioned {
  readonly question: PushQuestion
}
interface Commands {
  readonly isAtomic: boolean
}
interface Allowed extends Questioned {
  readonly refusals: Refusals
}
interface Locked {
  /** The updates of the question from where the refs really are. */
  readonly updates: ReadonlyArray<RefUpdate>
  readonly noted: ScheduledMoves
}
interface Moves extends Allowed, Locked {}

interface Phases {
  /** The push waits for its turn. */
  readonly Waiting: object
  /** The names of its refs come in. */
  readonly ReadingCommands: object
  /** Its objects come in; git keeps them in quarantine. */
  readonly Receiving: Commands
  /** git has all it wants and has asked which refs may move; the end of the request is still to come. */
  readonly ReadingRest: Commands & Questioned
  /** Everything is there and git checks it. From here on the push is finished whether or not the client stays. */
  readonly Checking: Commands
  /** Verdicts are asked for. */
  readonly Judging: Commands & Questioned
  /** The push waits for the refs of its repository. Nothing has moved. */
  readonly Locking: Allowed
  /** git moves refs, which this push alone may move. */
  readonly Moving: Moves
  /** The phase is like the one before, but git was told to end. */
  readonly Halting: Moves
  /** Whatever has moved is being recorded. */
  readonly Recording: Moves & { readonly end: GitEnd; readonly exceeded?: "time" }
  /** git was told that no ref may move. */
  readonly Refusing: { readonly outcome: Outcome }
  /** git was told to end, or has; nothing moves. The body is read as far as it is waited for. */
  readonly Stopping: { readonly outcome: Outcome; readonly end?: GitEnd; readonly isBodyOver: boolean }
  /** The client is told. */
  readonly Reporting: { readonly outcome: Outcome; readonly end: GitEnd }
  readonly Done: { readonly end: ProcessEnd | undefined }
  readonly Failed: { readonly error: BodyRefused | TooBusy }
}

interface Events {
  readonly Admitted: object
  readonly TurnedAway: object
  readonly CommandsRead: Commands
  /** git has checked all objects; its hook asks which refs may move. */
  readonly PermissionRequested: Questioned
  readonly BodyEnded: object
  readonly BodyRefused: { readonly fault: BodyRefused }
  readonly GitEnded: { readonly end: GitEnd }
  readonly Judged: { readonly refusals: Refusals }
  /** The refs are locked, and it is recorded that this push may move them. */
  readonly Locked: Locked
  /** Judging or locking failed. */
  readonly NotJudged: object
  /** `unrecorded` are the refs that moved without being recorded. */
  readonly Recorded: { readonly lines: ReadonlyArray<string>; readonly unrecorded: Refusals }
  readonly Reported: object
  /** The client went away, or the service stops. */
  readonly HungUp: object
  readonly TimeExceeded: object
  readonly SpaceExceeded: object
}

type Tagged<Cases, Tag extends keyof Cases> = { readonly _tag: Tag } & Cases[Tag]
/** What a push is doing, with what is known by then. */
export type PushPhase = { [Tag in keyof Phases]: Tagged<Phases, Tag> }[keyof Phases]
/** What happens to a push. */
export type PushEvent = { [Tag in keyof Events]: Tagged<Events, Tag> }[keyof Events]

/** What each event makes of a phase; one that is not here changes nothing. */
type Transitions = { readonly [Event in keyof Events]?: (event: Tagged<Events, Event>) => PushPhase }

const notJudged = "the service could not check this push; try again"
/** The text of git. */
const notAlone = "atomic push failure"

export const refusing = (updates: ReadonlyArray<RefUpdate>, text: string): Refusals =>
  new Map(updates.map(({ ref }) => [ref, text]))

const nothing: Outcome = { refusals: new Map(), lines: [] }

/** git has ended, and nobody waits for more of the body. */
const concluded = (outcome: Outcome, end: GitEnd): PushPhase => {
  const { fault } = outcome
  if (fault !== undefined && !end.isAnswered) return { _tag: "Failed", error: fault }
  if (end.shortage !== undefined) return { _tag: "Failed", error: tooBusy }
  return { _tag: "Reporting", outcome: { ...defined({ exceeded: end.exceeded }), ...outcome }, end }
}

const stopping = (phase: Phases["Stopping"]): PushPhase =>
  phase.isBodyOver && phase.end !== undefined ? concluded(phase.outcome, phase.end) : { ...phase, _tag: "Stopping" }

const refused = (refusals: Refusals): PushPhase => ({ _tag: "Refusing", outcome: { refusals, lines: [] } })

/** Each ref by itself, or all or none where the client asks for that. */
const judged = ({ isAtomic, question }: Phases["Judging"], refusals: Refusals): PushPhase => {
  const updates = question.updates.filter(({ ref }) => !refusals.has(ref))
  const isTurnedAway = updates.length === 0 || (isAtomic && refusals.size > 0)
  if (isTurnedAway) return refused(new Map([...refusals, ...refusing(updates, notAlone)]))
  return { _tag: "Locking", question: { ...question, updates }, refusals }
}

/** What ends a push while its body comes in. */
const incoming: Transitions = {
  BodyRefused: ({ fault }) => stopping({ outcome: { ...nothing, fault }, isBodyOver: true }),
  GitEnded: ({ end }) => stopping({ outcome: nothing, end, isBodyOver: false }),
  HungUp: () => stopping({ outcome: nothing, isBodyOver: true }),
  // The rest is still read, so that the client comes to read why.
  SpaceExceeded: () => stopping({ outcome: { ...nothing, exceeded: "space" }, isBodyOver: false }),
  TimeExceeded: () => stopping({ outcome: { ...nothing, exceeded: "time" }, isBodyOver: true })
}

/** What ends it behind its body, before refs may move. */
const complete: Transitions = {
  GitEnded: ({ end }) => concluded(nothing, end),
  TimeExceeded: () => stopping({ outcome: { ...nothing, exceeded: "time" }, isBodyOver: true })
}

const transitions: { readonly [Phase in keyof Phases]: (phase: Tagged<Phases, Phase>) => Transitions } = {
  Waiting: () => ({
    Admitted: () => ({ _tag: "ReadingCommands" }),
    TurnedAway: () => ({ _tag: "Failed", error: tooBusy }),
    BodyRefused: ({ fault }) => ({ _tag: "Failed", error: fault }),
    HungUp: () => ({ _tag: "Done", end: undefined })
  }),
  ReadingCommands: () => ({
    ...incoming,
    CommandsRead: ({ isAtomic }) => ({ _tag: "Receiving", isAtomic }),
    // No client sends such a request.
    PermissionRequested: () => stopping({ outcome: nothing, isBodyOver: false }),
    BodyEnded: () => stopping({ outcome: nothing, isBodyOver: true })
  }),
  Receiving: (phase) => ({
    ...incoming,
    PermissionRequested: ({ question }) => ({ ...phase, _tag: "ReadingRest", question }),
    BodyEnded: () => ({ ...phase, _tag: "Checking" })
  }),
  ReadingRest: (phase) => ({
    ...incoming,
    BodyEnded: () => ({ ...phase, _tag: "Judging" })
  }),
  Checking: (phase) => ({
    ...complete,
    PermissionRequested: ({ question }) => ({ ...phase, _tag: "Judging", question })
  }),
  Judging: (phase) => ({
    ...complete,
    Judged: ({ refusals }) => judged(phase, refusals),
    NotJudged: () => refused(refusing(phase.question.updates, notJudged))
  }),
  Locking: (phase) => ({
    ...complete,
    Locked: ({ noted, updates }) => ({ ...phase, _tag: "Moving", updates, noted }),
    NotJudged: () => refused(new Map([...phase.refusals, ...refusing(phase.question.updates, notJudged)]))
  }),
  Moving: (phase) => ({
    GitEnded: ({ end }) => ({ ...phase, _tag: "Recording", end }),
    TimeExceeded: () => ({ ...phase, _tag: "Halting" })
  }),
  Halting: (phase) => ({
    GitEnded: ({ end }) => ({ ...phase, _tag: "Recording", end, exceeded: "time" })
  }),
  Recording: ({ end, exceeded, refusals }) => ({
    Recorded: ({ lines, unrecorded }) =>
      concluded({ refusals: new Map([...refusals, ...unrecorded]), lines, ...defined({ exceeded }) }, end)
  }),
  Refusing: ({ outcome }) => ({
    GitEnded: ({ end }) => concluded(outcome, end),
    TimeExceeded: () => stopping({ outcome: { ...outcome, exceeded: "time" }, isBodyOver: true })
  }),
  Stopping: (phase) => ({
    BodyEnded: () => stopping({ ...phase, isBodyOver: true }),
    BodyRefused: ({ fault }) => stopping({ ...phase, outcome: { ...phase.outcome, fault }, isBodyOver: true }),
    GitEnded: ({ end }) => stopping({ ...phase, end }),
    HungUp: () => stopping({ ...phase, isBodyOver: true }),
    TimeExceeded: () => stopping({ ...phase, outcome: { exceeded: "time", ...phase.outcome }, isBodyOver: true })
  }),
  Reporting: ({ end }) => ({
    Reported: () => ({ _tag: "Done", end })
  }),
  Done: () => ({}),
  Failed: () => ({})
}

/** A push that has begun. */
export const waiting: PushPhase = { _tag: "Waiting" }

type Over = Extract<PushPhase, { readonly _tag: "Done" | "Failed" }>

export const isOver = (phase: PushPhase): phase is Over => phase._tag === "Done" || phase._tag === "Failed"

const transitionsOf = <Phase extends keyof Phases>(phase: Tagged<Phases, Phase>): Transitions => transitions[phase._tag](phase)

const follow = <Event extends keyof Events>(row: Transitions, event: Tagged<Events, Event>): PushPhase | undefined =>
  row[event._tag]?.(event)

/** The phase after an event; the same one when the event changes nothing. */
export const next = (phase: PushPhase, event: PushEvent): PushPhase => follow(transitionsOf(phase), event) ?? phase
