import { rm, stat, statfs, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { AppConfig } from "../../config.ts"
import { gibibyte } from "../../kernel/units.ts"
import { checked, type Finding, fail, ok, warn } from "./Finding.ts"

const warnBelow = gibibyte
const failBelow = gibibyte / 10

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false
  )

/** The folder itself, or the nearest one above it that is there. */
const closestExisting = async (path: string): Promise<string> => ((await exists(path)) ? path : closestExisting(dirname(path)))

const probe = async (folder: string): Promise<void> => {
  const path = join(folder, `.doctor-${process.pid}`)
  await writeFile(path, "")
  await rm(path)
}

const space = (free: number, folder: string): Finding => {
  const detail = `${(free / gibibyte).toFixed(1)} GiB free at ${folder}`
  const remedy = "free some space, or move DATA_DIR"
  if (free < failBelow) return fail("disk", detail, remedy)
  return free < warnBelow ? warn("disk", detail, remedy) : ok("disk", detail)
}

/** Whether DATA_DIR can be written, and how much room there is. A missing one is not made. */
export const checkDataDir = checked(
  "DATA_DIR",
  "make it writable for the user that runs the service, or set DATA_DIR",
  Effect.flatMap(AppConfig, ({ dataDir }) =>
    Effect.promise(async () => {
      const folder = await closestExisting(dataDir)
      await probe(folder)
      const { bavail, bsize } = await statfs(folder)
      const detail = folder === dataDir ? `${dataDir} is writable` : `${dataDir} will be made at the first start`
      return [ok("DATA_DIR", detail), space(bavail * bsize, folder)]
    })
  )
)

/** Whether the embedded Postgres has been made. */
export const hasEmbeddedCluster = Effect.flatMap(AppConfig, ({ dataDir }) =>
  Effect.promise(() => exists(join(dataDir, "postgres")))
)
