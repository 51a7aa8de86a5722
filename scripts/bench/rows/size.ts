import { join } from "node:path"
import type { Databases } from "../database.ts"
import type { Row } from "../figures.ts"
import { listRows } from "../installation/listRows.ts"
import { makeInstallation } from "../installation/makeInstallation.ts"
import { startRows } from "../installation/startRows.ts"

/** What grows with an installation must not cost more in a larger one. */
export const sizeRows = async (databases: Databases, folder: string): Promise<ReadonlyArray<Row>> => {
  const installation = await makeInstallation(databases, { dataDir: join(folder, "size"), name: "size_ours" })
  return [...(await startRows(installation, folder)), ...(await listRows(databases, installation, folder))]
}
