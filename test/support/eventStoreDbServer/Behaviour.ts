/** The highest limit of appends that the server can be given, and its limit of a message: an event as it is sent. */
export const maxMessageBytes = 16_767_216

/** How the server behaves; may be changed while it runs. */
export interface Behaviour {
  maxAppendBytes: number
  /** Whether subscriptions are told that they have caught up; older servers do not. */
  saysCaughtUp: boolean
  /** What every call fails with. */
  refusal: object | undefined
  /** Called once with the next append that arrives, which waits for it. */
  beforeNextAppend: (() => Promise<void>) | undefined
  /** Called once, in place of the answer to the next append that was stored. */
  insteadOfNextAnswer: (() => void) | undefined
}

export const defaultBehaviour = (): Behaviour => ({
  maxAppendBytes: maxMessageBytes,
  saysCaughtUp: true,
  refusal: undefined,
  beforeNextAppend: undefined,
  insteadOfNextAnswer: undefined
})
