import { cssColors } from "./cssColors.ts"

const pattern = /^#(?:[0-9a-f]{3}){1,2}$/i

/** Whether a text is `#` with three or six hexadecimal digits. */
export const isColor = (text: string): boolean => pattern.test(text)

/** A color as it is kept: a name of CSS as its digits, anything else as it is but for blanks around it. */
export const colorOf = (text: string): string => cssColors.get(text.trim().toLowerCase()) ?? text.trim()

/** Above this sum of red, green and blue, of 765, white would be hard to read. */
const maxDarkSum = 500

/** The color of text that is read best on a color. */
export const textColorOn = (color: string): "#1F1E24" | "#FFFFFF" => {
  const digits = color.length === 4 ? color.slice(1).replace(/./g, "$&$&") : color.slice(1)
  const sum = (digits.match(/../g) ?? []).reduce((total, part) => total + Number.parseInt(part, 16), 0)
  return sum > maxDarkSum ? "#1F1E24" : "#FFFFFF"
}
