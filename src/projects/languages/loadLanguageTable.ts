import { once } from "node:events"
import { Worker } from "node:worker_threads"
import type { LanguageTable } from "./languageTable.ts"

const load = async (): Promise<LanguageTable> => {
  const worker = new Worker(new URL("./linguistWorker.ts", import.meta.url))
  const [table] = await once(worker, "message")
  return table
}

let loading: Promise<LanguageTable> | undefined

/** The languages that linguist knows: made once for all, when somebody asks for the first time. */
export const loadLanguageTable = (): Promise<LanguageTable> => {
  loading ??= load().catch((error) => {
    // It may go well another time.
    loading = undefined
    throw error
  })
  return loading
}
