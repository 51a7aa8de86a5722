/** Whether a text has more characters than that, counted as the reference service counts them: by code points. */
export const isLongerThan = (text: string, maximum: number): boolean =>
  text.length > maximum && (text.length > 2 * maximum || [...text].length > maximum)

/** The same text on its own: a part of a text, as `slice` gives it, keeps all of that in memory. */
export const copied = (part: string): string => Buffer.from(part).toString()

/** Whether a text can be stored: neither NUL nor half a surrogate pair can. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0")
