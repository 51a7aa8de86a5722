import { isLongerThan } from "../../kernel/characters.ts"

/** What is sent of a status as texts. */
export interface StatusTexts {
  readonly name: string
  readonly target_url?: string | null
  readonly description?: string | null
}

const maxLength = 255
const tooLong = `is too long (maximum is ${maxLength} characters)`
const blocked = "is blocked: Only allowed schemes are http, https"

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

/** What is wrong, by attribute; undefined where nothing is. */
export const faultsOf = (texts: StatusTexts): Readonly<Record<string, ReadonlyArray<string>>> | undefined => {
  const { description, name, target_url: targetUrl } = texts
  const faults = {
    name: [...(name.trim() === "" ? ["can't be blank"] : []), ...(isLongerThan(name, maxLength) ? [tooLong] : [])],
    target_url: [
      ...(targetUrl && !isAddress(targetUrl) ? [blocked] : []),
      ...(isLongerThan(targetUrl ?? "", maxLength) ? [tooLong] : [])
    ],
    description: isLongerThan(description ?? "", maxLength) ? [tooLong] : []
  }
  const present = Object.entries(faults).filter(([, found]) => found.length > 0)
  return present.length === 0 ? undefined : Object.fromEntries(present)
}
