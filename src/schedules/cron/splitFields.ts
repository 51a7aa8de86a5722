/** One field of a cron text: what stands between its commas, and whether `&` ends it. */
export interface Field {
  readonly elements: ReadonlyArray<string>
  readonly hasAnd: boolean
}

/**
 * Commas may stand around a field and more than once in it, with blanks before them. One that is followed by a blank ends the field, so
 * that `0 0 1, 15 * *` has six fields. The look-ahead keeps commas with the field before them.
 */
const field = /(?:[ \t]*,)*([^ \t,&]+(?:,(?:[ \t]*,)*[^ \t,&]+)*)(?:[ \t]*,)*(?![ \t]*,)(&?)(?:[ \t]+|$)/y

/** The fields of a cron text without blanks at its ends; undefined where it is not made of fields. */
export const splitFields = (text: string): ReadonlyArray<Field> | undefined => {
  const fields: Array<Field> = []
  let at = 0
  while (at < text.length) {
    field.lastIndex = at
    const found = field.exec(text)
    if (found === null) return undefined
    fields.push({ elements: (found[1] ?? "").split(/,[ \t,]*/), hasAnd: found[2] === "&" })
    at = field.lastIndex
  }
  return fields
}
