import { isLongerThan } from "../kernel/characters.ts"
import { type Fault, faultsOf } from "../kernel/faults.ts"
import { webUrlErrors } from "../kernel/webUrlErrors.ts"
import type { ProfileChanges } from "./events.ts"
import { isCommonPassword, type PasswordOwner } from "./passwords/isCommonPassword.ts"
import { usernameErrors } from "./username.ts"

/** The attributes of a user that have rules. Absent ones are not checked. */
export interface Attributes {
  readonly email?: string
  readonly password?: string
  readonly username?: string
  readonly changes: ProfileChanges
}

type Errors = ReadonlyArray<string>

const lengths: ReadonlyArray<readonly [wire: string, key: keyof ProfileChanges, maximum: number]> = [
  ["bio", "bio", 255],
  ["location", "location", 500],
  ["skype", "skype", 500],
  ["linkedin", "linkedin", 500],
  ["twitter", "twitter", 500],
  ["discord", "discord", 500],
  ["website_url", "websiteUrl", 500],
  ["organization", "organization", 500],
  ["pronouns", "pronouns", 50],
  ["note", "note", 65_535]
]

const tooLong = (text: unknown, maximum: number): Errors =>
  typeof text === "string" && isLongerThan(text, maximum) ? [`is too long (maximum is ${maximum} characters)`] : []

const emailErrors = (email: string): Errors => {
  if (email === "") return ["can't be blank"]
  return /^[^@\s]+@[^@\s]+$/.test(email) && email.length <= 255 ? [] : ["is invalid"]
}

const passwordErrors = (password: string, owner: PasswordOwner): Errors => {
  if (password === "") return ["can't be blank"]
  if (!isLongerThan(password, 7)) return ["is too short (minimum is 8 characters)"]
  if (isLongerThan(password, 128)) return tooLong(password, 128)
  return isCommonPassword(password, owner) ? ["must not contain commonly used combinations of words and letters"] : []
}

const nameErrors = (name: string): Errors => (name.trim() === "" ? ["can't be blank"] : tooLong(name, 255))

const limitErrors = (limit: number): Errors => {
  if (limit < 0) return ["must be greater than or equal to 0"]
  return limit > 2_147_483_647 ? ["must be less than or equal to 2147483647"] : []
}

/** The reference service has eleven colour themes and six schemes for code. */
const choiceErrors = (id: number, highest: number, thing: string): Errors =>
  id >= 1 && id <= highest ? [] : [`${id} is not a valid ${thing}`]

/**
 * Gap: the reference service empties an address that is not the user's; here it is refused with the text that its model
 * has for the case, because a client should learn that its value was not used.
 */
const ownEmailErrors = (shown: string | null, own: string, alsoAllowed?: string): Errors =>
  shown === null || shown === alsoAllowed || shown === own ? [] : ["is not an email you own"]

/** Gap: the texts for addresses in a profile are not shown; these are the ones that the reference service has elsewhere for such. */
const websiteErrors = (url: string): Errors => (url.trim() === "" ? [] : webUrlErrors(url))

/** Gap: not shown either. The other accounts of a profile are names or addresses, of which only the length is judged. */
const discordErrors = (id: string): Errors =>
  id.trim() === "" || /^\d{17,20}$/.test(id) ? [] : ["must contain only a discord user ID."]

const ifGiven = <A>(value: A | undefined, check: (value: A) => Errors): Errors => (value === undefined ? [] : check(value))

/**
 * What is wrong with the attributes of a user whose name and addresses are, or will be, those of `owner`, under the names of the
 * interface and in the order in which the reference service checks.
 */
export const attributeFaults = (
  { email, password, username, changes }: Attributes,
  owner: PasswordOwner
): ReadonlyArray<Fault> => [
  ...faultsOf("email", ifGiven(email, emailErrors)),
  ...faultsOf(
    "password",
    ifGiven(password, (text) => passwordErrors(text, owner))
  ),
  ...faultsOf("name", ifGiven(changes.name, nameErrors)),
  ...faultsOf(
    "public_email",
    ifGiven(changes.publicEmail, (shown) => ownEmailErrors(shown, owner.email))
  ),
  ...faultsOf(
    "commit_email",
    ifGiven(changes.commitEmail, (shown) => ownEmailErrors(shown, owner.email, "_private"))
  ),
  ...faultsOf("projects_limit", ifGiven(changes.projectsLimit, limitErrors)),
  ...faultsOf("username", ifGiven(username, usernameErrors)),
  ...faultsOf(
    "theme_id",
    ifGiven(changes.themeId, (id) => choiceErrors(id, 11, "theme"))
  ),
  ...faultsOf(
    "color_scheme_id",
    ifGiven(changes.colorSchemeId, (id) => choiceErrors(id, 6, "color scheme"))
  ),
  ...lengths.flatMap(([wire, key, maximum]) => faultsOf(wire, tooLong(changes[key], maximum))),
  ...faultsOf("discord", ifGiven(changes.discord, discordErrors)),
  ...faultsOf("website_url", ifGiven(changes.websiteUrl, websiteErrors))
]
