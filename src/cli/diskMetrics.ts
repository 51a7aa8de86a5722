import { statfs } from "node:fs/promises"
import { Effect, Metric, Schedule } from "effect"
import { AppConfig } from "../config.ts"

const free = Metric.gauge("chronoforge_repositories_disk_free_bytes", {
  description: "Bytes that may still be written to the disk of DATA_DIR, where repositories lie."
})
const size = Metric.gauge("chronoforge_repositories_disk_size_bytes", { description: "Size of the disk of DATA_DIR." })

/** Measures the disk of the repositories every fifteen seconds, for ever. */
export const measureDisk = Effect.gen(function* () {
  const { dataDir } = yield* AppConfig
  const measure = Effect.gen(function* () {
    const { bavail, blocks, bsize } = yield* Effect.tryPromise(() => statfs(dataDir))
    yield* Metric.update(free, bavail * bsize)
    yield* Metric.update(size, blocks * bsize)
  })
  return yield* Effect.repeat(Effect.ignore(measure), Schedule.spaced("15 seconds"))
})
