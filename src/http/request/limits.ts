/** Of a request's body, in bytes. */
export const maxBodyBytes = 16 * 1024 * 1024

/** Of brackets in a name, and of objects and arrays in JSON. */
export const maxDepth = 100

/** Of parameters in a query or form, and of values in JSON. Gap: the same for all; the reference's limits differ by format. */
export const maxParameters = 10_000

/** Of a body that nobody reads; after more the connection is closed rather than kept. */
export const maxDrainedBytes = 256 * 1024
