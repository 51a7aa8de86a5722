import { once } from "node:events"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import type { Processes } from "../../platform/processes/Processes.ts"
import { type LanguageEntries, type LanguageTable, tableOf } from "./languageTable.ts"

const program = fileURLToPath(new URL("./printLanguageTable.ts", import.meta.url))

const load = async (processes: Processes): Promise<LanguageTable> => {
  const child = processes.start(process.execPath, [program], {
    class: "interactive",
    // It reserves far more memory than it uses.
    isLasting: true,
    cwd: "/",
    env: {},
    stdio: ["ignore", "pipe", "ignore"]
  })
  const [printed, [status, signal]] = await Promise.all([text(child.stdout), once(child, "close")])
  if (status !== 0) throw new Error(`The languages could not be read: ended with ${status ?? signal}`)
  const entries: LanguageEntries = JSON.parse(printed)
  return tableOf(entries)
}

let loading: Promise<LanguageTable> | undefined

/** The languages that linguist knows: made once for all, when somebody asks for the first time. */
export const loadLanguageTable = (processes: Processes): Promise<LanguageTable> => {
  loading ??= load(processes).catch((error) => {
    // A later attempt may succeed.
    loading = undefined
    throw error
  })
  return loading
}
