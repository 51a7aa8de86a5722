import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

/** Whether a command is found in one of the folders of `path`, as `PATH` is. */
export const isOnPath = (command: string, path: string): boolean =>
  path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
