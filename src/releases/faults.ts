import type { Link } from "./events.ts"

/** The longest path of a link, in characters. */
const maxPathLength = 128
/** The longest description of a release, in characters. */
export const maxDescriptionLength = 1_000_000
/** The longest name of a release or a link, and address of a link, in characters. */
const [maxNameLength, maxUrlLength] = [255, 2_048]

const schemes = ["http:", "https:", "ftp:"]

/** Without control characters, of which parsers drop some: what is judged would not be what is stored. */
const isAddress = (url: string): boolean => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed !== undefined && schemes.includes(parsed.protocol) && parsed.hostname !== "" && /^[a-z]+:\/\/\P{Cc}+$/iu.test(url)
}

/** One slash in front, no two in a row, letters, digits and `-._` between them, a letter or digit last. */
const isPath = (path: string): boolean => /^\/(?:[A-Za-z0-9._-]+\/)*[A-Za-z0-9._-]*[A-Za-z0-9]$/.test(path) && path.length >= 4

const textFaults = (name: string, text: string, max: number, isTaken: boolean): ReadonlyArray<string> => {
  if (text.trim() === "") return [`${name} can't be blank`]
  return [
    ...(text.length > max ? [`${name} is too long (maximum is ${max} characters)`] : []),
    ...(isTaken ? [`${name} has already been taken`] : [])
  ]
}

/** What is wrong with a link among others of its release, in sentences. */
export const linkFaults = (link: Link, all: ReadonlyArray<Link>): ReadonlyArray<string> => {
  const { name, path, url } = link
  const others = all.filter(({ id }) => id !== link.id)
  const isNameTaken = others.some((other) => other.name === name)
  const isUrlTaken = others.some((other) => other.url === url)
  const urlFaults = textFaults("Url", url, maxUrlLength, isUrlTaken)
  return [
    ...textFaults("Name", name, maxNameLength, isNameTaken),
    ...urlFaults,
    ...(url.trim() === "" || isAddress(url) ? [] : ["Url must be a valid URL with http, https or ftp"]),
    ...(path === null || isPath(path) ? [] : ["Filepath is in an invalid format"]),
    ...(path !== null && path.length > maxPathLength ? [`Filepath is too long (maximum is ${maxPathLength} characters)`] : []),
    ...(path !== null && others.some((other) => other.path === path) ? ["Filepath has already been taken"] : [])
  ]
}

/** What is wrong with the texts of a release, by attribute. */
export const releaseFaults = (texts: { readonly name?: string | null; readonly description?: string | null }) => [
  ...((texts.name?.length ?? 0) > maxNameLength
    ? [{ attribute: "name" as const, text: `is too long (maximum is ${maxNameLength} characters)` }]
    : []),
  ...((texts.description?.length ?? 0) > maxDescriptionLength
    ? [{ attribute: "description" as const, text: `is too long (maximum is ${maxDescriptionLength} characters)` }]
    : [])
]
export type ReleaseFault = ReturnType<typeof releaseFaults>[number]
