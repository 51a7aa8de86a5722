/** Bytes. */
export const mebibyte = 1024 ** 2
export const gibibyte = 1024 ** 3

/** Milliseconds. */
export const hourMillis = 3_600_000
export const dayMillis = 86_400_000
