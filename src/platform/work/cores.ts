import { availableParallelism } from "node:os"

/** The processors of this machine. */
export const cores = availableParallelism()
