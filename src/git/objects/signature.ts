import { stripEnds } from "../../kernel/stripEnds.ts"

/** The author or committer of a commit or tag, with the time. */
export interface Signature {
  readonly name: string
  readonly email: string
  /** The time in seconds since 1970, UTC. */
  readonly seconds: number
  /** The time zone, such as `+0200`. */
  readonly offset: string
}

/** Trims ASCII spaces only: others belong to the name. */
const trim = (text: string): string => stripEnds(text, (character) => " \t\r\n".includes(character))

/** Reads `Name <email> 1700000000 +0200`. What is missing or makes no sense is "", 0 and `+0000`. */
export const parseSignature = (line: string): Signature => {
  const open = line.indexOf("<")
  const close = line.indexOf(">", open)
  const name = open === -1 ? line : line.slice(0, open)
  const email = open === -1 || close === -1 ? "" : line.slice(open + 1, close)
  const [, seconds = "0", offset = "+0000"] = /^\s*(\d+)\s+([+-]\d+)\s*$/.exec(line.slice(line.lastIndexOf(">") + 1)) ?? []
  const isSafe = Number.isSafeInteger(Number(seconds))
  return { name: trim(name), email: trim(email), seconds: isSafe ? Number(seconds) : 0, offset: isSafe ? offset : "+0000" }
}

/** Whether `git` leaves a character out at the ends of names and addresses. */
const isCrud = (character: string): boolean => character <= " " || ".,:;<>\"\\'".includes(character)
const inside = /[<>\n\0]/g
const cleaned = (text: string): string => stripEnds(text.replace(inside, ""), isCrud)

/** Writes what `parseSignature` reads. Characters that would end a name or an address are left out, as `git` does. */
export const formatSignature = ({ email, name, offset, seconds }: Signature): string =>
  `${cleaned(name)} <${cleaned(email)}> ${seconds} ${offset}`

/** Writes a signature that was read from a commit: the dot of `Ann B.` belongs to the name there. */
export const formatKeptSignature = ({ email, name, offset, seconds }: Signature): string =>
  `${name.replace(inside, "")} <${email.replace(inside, "")}> ${seconds} ${offset}`

/** The highest number of milliseconds that a `Date` can hold. */
const latest = 8.64e15

/** The time with its own offset: `2024-02-27T10:27:00.000+02:00`; UTC is `+00:00`. */
export const isoTime = ({ offset, seconds }: Pick<Signature, "offset" | "seconds">): string => {
  const [, sign = "+", hours = "00", minutes = "00"] = /^([+-])([01]\d|2[0-3])([0-5]\d)$/.exec(offset) ?? []
  const ahead = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60
  const millis = (seconds + ahead) * 1000
  const local = new Date(millis <= latest ? millis : 0).toISOString().slice(0, -1)
  return `${local}${sign}${hours}:${minutes}`
}
