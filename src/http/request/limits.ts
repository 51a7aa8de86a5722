/** The highest number of bytes of a request's body. */
export const maxBodyBytes = 16 * 1024 * 1024

/** The highest depth of brackets in a name, and of objects and arrays in JSON. */
export const maxDepth = 100

/**
 * The highest number of parameters in a query or form, and of values in JSON. Gap: it is the same for all; the reference's limits
 * differ by format.
 */
export const maxParameters = 10_000

/** The highest number of bytes that are drained of an unread body; beyond, the connection is closed. */
export const maxDrainedBytes = 256 * 1024
