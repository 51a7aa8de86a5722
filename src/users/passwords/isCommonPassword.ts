import { isLongerThan } from "../../kernel/characters.ts"

/** Whoever has a password. */
export interface PasswordOwner {
  readonly name: string
  readonly username: string
  readonly email: string
}

/** Words that are close at hand here, so that they stand nowhere in a password. */
const closeWords = ["gitlab", "devops", "chronoforge"]

/** Shorter parts of names may stand in a random password by chance, and any part in a long one. */
const minPartLength = 4
const maxCheckedLength = 64

/** Words of which passwords are made most often; alone, twice, or with digits and signs around them. */
const commonWords = new Set(
  `aaaa abcd abcdef abcdefg abcdefgh access account admin administrator alexander andrew angel arsenal asdf asdfgh asdfghjk asdfghjkl
  autumn baseball basketball batman bigdaddy blink buster butterfly changeit changeme charlie cheese chelsea chicken chocolate computer
  cookie corvette cowboys daniel default diamond dolphin dragon einstein elephant england enter external facebook ferrari flower football
  forever freedom friends gateway george ginger golfer google guest hannah harley hello hockey hunter iloveyou internet jennifer jessica
  jordan killer klaster letmein liverpool login london lovely manager marina maria master matrix maverick mercedes michael michelle
  midnight monday monkey mountain mustang mypass mypassword nicole ninja nothing november october oracle parola pass passcode passphrase
  passw passwd password passwort patrick peanut pepper phoenix pokemon princess public purple qazwsx qazwsxedc qwer qwert qwerty qwertyu
  qwertyui qwertyuiop q1w2e3r4 q1w2e3r4t5 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc zaq12wsx qweasd qweasdzxc ranger redskins robert
  rootroot root samantha samsung secret secure security september service shadow silver slipknot snoopy soccer sparky spring starwars steelers summer
  sunday sunshine superman support sweety temp temporary test testing thomas thunder tigger tiger trustno1 user username victoria victory
  warrior welcome whatever william winter wizard wolverine yankees yellow zxcvbn zxcvbnm`.split(/\s+/)
)

/** Letters as they were before others wrote them as digits and signs. */
const plainLetters: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i"
}

const plain = (text: string): string => [...text].map((character) => plainLetters[character] ?? character).join("")

const sequences = ["01234567890123456789", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm"]
const backwards = sequences.map((each) => [...each].reverse().join(""))

/** Whether a text is a part of the alphabet, of the digits or of a keyboard, or one to four characters again and again. */
const isSequence = (text: string): boolean =>
  /^(.{1,4}?)\1+$/su.test(text) || [...sequences, ...backwards].some((each) => each.includes(text))

const isCommonWord = (text: string): boolean => {
  const [, repeated = text] = /^(.+?)\1*$/su.exec(text) ?? []
  return [text, repeated].some((each) => commonWords.has(each) || commonWords.has(plain(each)))
}

/** The text without the digits and signs around it. */
const core = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "")

const partsOf = (text: string): ReadonlyArray<string> =>
  [text, ...text.split(/[^\p{L}\p{N}]+/u)].filter((part) => isLongerThan(part, minPartLength - 1))

/**
 * Whether a password is easy to guess: one of those that are used most, or one with a part of its owner's name, user name or address
 * in it. Letter case makes no difference.
 */
export const isCommonPassword = (password: string, { email, name, username }: PasswordOwner): boolean => {
  const text = password.toLowerCase()
  if (isSequence(text) || isCommonWord(text) || isCommonWord(core(text))) return true
  if (isLongerThan(text, maxCheckedLength - 1)) return false
  return [...closeWords, ...[name, username, email].flatMap(partsOf)].some((part) => text.includes(part.toLowerCase()))
}
