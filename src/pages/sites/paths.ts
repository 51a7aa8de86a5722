/** The names of a path within a site have so many bytes at most, each and together, as file systems take them; and so many there are. */
const maxName = 255
const maxPath = 3_000
const maxNames = 64

const isName = (name: string): boolean =>
  name !== ".." && Buffer.byteLength(name) <= maxName && !/[\\\0]/.test(name) && name.isWellFormed()

/** The names of a path in an archive or of a folder in it, without `.`; undefined where it leads elsewhere, or could be no file. */
export const namesIn = (path: string): ReadonlyArray<string> | undefined => {
  if (path.startsWith("/") || Buffer.byteLength(path) > maxPath) return undefined
  const names = path.split("/").filter((name) => name !== "" && name !== ".")
  return names.length <= maxNames && names.every(isName) ? names : undefined
}

/** What remains of a path below a folder; undefined where it is not below it. */
export const namesBelow = (folder: ReadonlyArray<string>, names: ReadonlyArray<string>): ReadonlyArray<string> | undefined =>
  names.length > folder.length && folder.every((name, index) => names[index] === name) ? names.slice(folder.length) : undefined
