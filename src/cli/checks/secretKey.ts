import { Effect } from "effect"
import { checkSecretKey as check } from "../../platform/secrets/postgres.ts"
import { checked, fail, ok, warn } from "./Finding.ts"

const name = "SECRET_KEY"

/** Whether SECRET_KEY fits the keys of the secrets that are stored. */
export const checkSecretKey = checked(
  name,
  "set SECRET_KEY, or make DATA_DIR/secret-key readable",
  Effect.map(check, ({ present, stored, unreadable }) => {
    if (unreadable > 0) {
      const detail = `${present ? "does not fit" : "is missing for"} ${unreadable} of ${stored} stored keys, whose secrets read as absent`
      return [fail(name, detail, "restore the key that they were made with")]
    }
    if (!present) return [warn(name, "none yet", "the first start makes one in DATA_DIR/secret-key: include it in backups")]
    return [ok(name, stored === 0 ? "present, no stored keys yet" : `fits all ${stored} stored keys`)]
  })
)
