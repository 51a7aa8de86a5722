import { mebibyte } from "../../../kernel/units.ts"
import { expandsLittle } from "./expansion.ts"

/** A delta, what it is of and what it makes are in memory at the same time, each of at most this size. */
const maxObjectBytes = 128 * mebibyte
/** What `git index-pack` allocates at once for each object. */
const bytesPerObject = 80

/** A push of at most this many bytes is waited for before git starts. */
export const maxShortBytes = 64 * 1024

/**
 * Settings of a git that receives objects, for the pack that is sent; undefined where it has not come in yet. Larger files than the threshold go
 * to the disk without being in memory, as long as they are sent whole. Only of a small pack whose objects are small too each is written to a file
 * of its own, as the repository's setting says: differences of a few bytes may make gigabytes. Of others the pack is kept as it is.
 */
export const receivingSettings = (pack: Buffer | undefined): ReadonlyArray<string> => [
  "core.bigFileThreshold=50m",
  ...(pack !== undefined && expandsLittle(pack) ? [] : ["receive.unpackLimit=1"])
]

/**
 * The environment of a git that receives a pack of so many objects. It gives up where it would need more memory at once than the objects of a
 * usual size take, or than the number of objects needs, which the client has to send then.
 */
export const receivingEnvironment = (objects: number): Readonly<Record<string, string>> => ({
  GIT_ALLOC_LIMIT: String(Math.min(Math.max(maxObjectBytes, objects * bytesPerObject), 1024 * mebibyte))
})

/** Whether git says that it would need more memory at once. */
export const saysTooLarge = (output: Buffer): boolean => output.includes("attempting to allocate")

export const tooLargeText = `An object of the push takes more than ${maxObjectBytes / mebibyte} MiB of memory. Send large files whole: git -c core.bigFileThreshold=50m push`

/** Whether git, or a program that it started, failed because the disk takes no more. */
export const saysDiskFull = (output: Buffer): boolean =>
  /^.(fatal|error): .*(No space left on device|Disk quota exceeded)/m.test(output.toString("latin1"))

/** Whether git says that the system gave it no more memory, which is the limit of its class. */
export const saysOutOfMemory = (output: Buffer): boolean => output.includes("fatal: Out of memory")
