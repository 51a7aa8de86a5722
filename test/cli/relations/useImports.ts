import { join } from "node:path"
import { beforeAll } from "vitest"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { useInstallation } from "../useInstallation.ts"
import { writeExport } from "./exportFiles.ts"

/** An installation with a group `team`, into which exports are read. */
export const useImports = () => {
  const installation = useInstallation()
  const { request } = installation
  const folder = temporaryFolder()
  beforeAll(async () => {
    await request("POST", "/groups", { json: { name: "team", path: "team" } })
  })
  return {
    installation,
    request,
    folder,
    /** Imports with these arguments. */
    run: (...args: ReadonlyArray<string>) => installation.run("import-relations", ...args),
    read: async (path: string) => (await request("GET", path)).body,
    statusOf: async (path: string) => (await request("GET", path)).status,
    /** Writes the files of an export into a folder of this name: its path. */
    write: (name: string, files: Readonly<Record<string, string>>) => writeExport(join(folder(), name), files)
  }
}
