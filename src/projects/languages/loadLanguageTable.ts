import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { type LanguageEntries, type LanguageTable, tableOf } from "./languageTable.ts"

const program = fileURLToPath(new URL("./printLanguageTable.ts", import.meta.url))
const timeout = 60_000
const maxBuffer = 4 * 1024 * 1024

const load = async (): Promise<LanguageTable> => {
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout, maxBuffer })
  const entries: LanguageEntries = JSON.parse(stdout)
  return tableOf(entries)
}

let loading: Promise<LanguageTable> | undefined

/** The languages that linguist knows: made once for all, when somebody asks for the first time. */
export const loadLanguageTable = (): Promise<LanguageTable> => {
  loading ??= load().catch((error) => {
    // A later attempt may succeed.
    loading = undefined
    throw error
  })
  return loading
}
