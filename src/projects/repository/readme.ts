const markup = String.raw`\.(?:md|mkdn?|mdown|markdown|textile|rdoc|org|creole|wiki|mediawiki|rst|adoc|ad|asciidoc)`

/** The formats of READMEs, the best first: with markup, then translated or otherwise special ones, then plain text. */
const formats = [
  new RegExp(`^readme${markup}$`, "i"),
  new RegExp(`^readme.*${markup}$`, "i"),
  new RegExp(`^index${markup}$`, "i"),
  /^readme(?:\.txt)?$/i,
  /^index(?:\.txt)?$/i
]

/** The name that the first of the formats fits that fits any; undefined for none. */
export const bestName = (formats: ReadonlyArray<RegExp>, names: ReadonlyArray<string>): string | undefined =>
  formats.map((format) => names.find((name) => format.test(name))).find((name) => name !== undefined)

/** The README, of the names at the root of a repository; undefined for none. */
export const readmeFile = (names: ReadonlyArray<string>): string | undefined => bestName(formats, names)
