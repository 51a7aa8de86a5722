import { stripEnds } from "#src/kernel/stripEnds.ts"

const isBlank = (character: string): boolean => " \t\n\v\f\r\0".includes(character)

/** A text without what the reference service takes for blanks at its ends, which is less than Unicode does. */
export const withoutBlanks = (text: string): string => stripEnds(text, isBlank)
