import { isLongerThan } from "../kernel/characters.ts"

/** A note has at most this many characters. */
const maxLength = 1_000_000

/** What is wrong with the text of a note; undefined for nothing. */
export const bodyFault = (body: string): string | undefined => {
  if (!/\S/.test(body)) return "can't be blank"
  return isLongerThan(body, maxLength) ? `is too long (maximum is ${maxLength} characters)` : undefined
}
