import { Effect } from "effect"
import { AppConfig } from "../config.ts"

/** What links begin with where no request says it; without a slash at its end. */
export const serverUrl = Effect.map(AppConfig, ({ externalUrl, host, port }) => externalUrl ?? `http://${host}:${port}`)
