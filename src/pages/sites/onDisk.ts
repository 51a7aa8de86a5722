import { access, stat } from "node:fs/promises"
import { join } from "node:path"

/** Whether a folder of a site has a page that is shown for it. */
export const hasIndex = async (folder: string): Promise<boolean> => {
  try {
    return (await stat(join(folder, "index.html"))).isFile()
  } catch {
    return false
  }
}

/** Whether the folder of a site is there: it goes soon when another site takes its place. */
export const isThere = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    () => false
  )
