import { mebibyte } from "../../kernel/units.ts"

/** The highest number of bytes of a request's body. */
export const maxBodyBytes = mebibyte

/** The same where a request carries content, such as files. */
export const maxContentBytes = 16 * mebibyte

/** A token, and the user to act as, are looked for in bodies of at most this many bytes. */
export const maxCredentialBytes = 64 * 1024

/**
 * The memory, in bytes, that the bodies of all requests may take together, and those of one caller. Small ones have theirs apart, so that
 * large ones which come in slowly hold up none of them, and so have those that nobody knows the caller of, so that strangers hold up no users.
 */
export const bodyMemoryLimits = {
  anonymous: { total: 16 * mebibyte, share: 2 * mebibyte },
  small: { total: 32 * mebibyte, share: 4 * mebibyte },
  large: { total: 64 * mebibyte, share: maxContentBytes }
} as const

/** A body has to come at this rate, with as much time in advance as a client may stand still. */
export const leastBodyRate = { bytesPerSecond: 8 * 1024 } as const

/** The highest depth of brackets in a name, and of objects and arrays in JSON. */
export const maxDepth = 100

/**
 * The highest number of parameters in a query or form, and of values in JSON. Gap: it is the same for all; the reference's limits
 * differ by format.
 */
export const maxParameters = 10_000

/**
 * The highest number of bytes that are drained of an unread body; beyond, the connection is closed. It is more than the usual limit of a
 * body: the client of one that is just too large takes the answer for the end of the request, and may send the next one already.
 */
export const maxDrainedBytes = 2 * 1024 * 1024

const day = 86_400_000

/** For so many milliseconds at most a body of so many bytes, or what is made of it, is on its way: a day for what is done with it. */
export const longestArrival = (maxBytes: number): number => day + (maxBytes * 1000) / leastBodyRate.bytesPerSecond
