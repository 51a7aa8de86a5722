/** The highest limit of appends that the server can be given, and its limit of a message: an event as it is sent. */
export const maxMessageBytes = 16_767_216

/** How the server behaves; may be changed while it runs. */
export interface Behaviour {
  /** How many reads there were. */
  reads: number
  /** How often it was asked who leads. */
  questions: number
  /** Whether it knows who leads, which nobody does during an election. */
  knowsLeader: boolean
  maxAppendBytes: number
  /** Whether subscriptions are told that they have caught up; older servers do not. */
  saysCaughtUp: boolean
  /** What every call fails with. */
  refusal: object | undefined
  /** Called once with the next append that arrives, which waits for it. */
  beforeNextAppend: (() => Promise<void>) | undefined
  /** Called once, in place of the answer to the next append that was stored. */
  insteadOfNextAnswer: (() => void) | undefined
  /** Whether the next append that shares a call is answered as one that took too long, though it was stored. */
  saysTimeout: boolean
}

export const defaultBehaviour = (): Behaviour => ({
  reads: 0,
  questions: 0,
  knowsLeader: true,
  maxAppendBytes: maxMessageBytes,
  saysCaughtUp: true,
  refusal: undefined,
  beforeNextAppend: undefined,
  insteadOfNextAnswer: undefined,
  saysTimeout: false
})
