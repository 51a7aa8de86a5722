import { hash } from "node:crypto"
import { isLongerThan } from "../kernel/characters.ts"
import type { Fault } from "../kernel/faults.ts"
import type { Tier } from "./events.ts"
import type { EnvironmentKey } from "./ids.ts"

/** What an environment is called, and in which project. */
export interface EnvironmentName {
  readonly projectId: number
  readonly name: string
}

export const environmentKey = ({ name, projectId }: EnvironmentName): EnvironmentKey => ({
  projectId,
  nameDigest: hash("sha1", name)
})

const maxLength = 255
const allowed = /^[\w/\\${}. -]*$/

const nameFaults = (name: string): ReadonlyArray<string> => [
  ...(name.trim() === "" ? ["can't be blank"] : []),
  ...(isLongerThan(name, maxLength) ? [`is too long (maximum is ${maxLength} characters)`] : []),
  ...(allowed.test(name) && !name.startsWith("/") && !name.endsWith("/")
    ? []
    : ["can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'"])
]

const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text) && !isLongerThan(text, maxLength)

type Faults = ReadonlyArray<Fault<"external_url" | "name">>

export const externalUrlFaults = (externalUrl: string | null): Faults =>
  externalUrl === null || isWebAddress(externalUrl)
    ? []
    : [{ attribute: "external_url", text: "is blocked: Only allowed schemes are http, https" }]

/** Everything that is wrong with a new environment. */
export const environmentFaults = (name: string, externalUrl: string | null): Faults => [
  ...nameFaults(name).map((text) => ({ attribute: "name" as const, text })),
  ...externalUrlFaults(externalUrl)
]

/** So many characters has a slug, of which the suffix takes seven where it is none of the name itself. */
const [maxSlug, maxStem] = [24, 17]

/** The name as a part of addresses: where it is not the name itself, a suffix tells it from similar ones. */
export const slugOf = (name: string): string => {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "-")
  const slug = (/^[a-z]/.test(plain) ? plain : `env-${plain}`).replace(/-+/g, "-")
  if (slug === name && slug.length <= maxSlug) return slug
  const suffix = BigInt(`0x${hash("sha256", name)}`)
    .toString(36)
    .slice(-6)
  return `${slug.slice(0, maxStem).replace(/-$/, "")}-${suffix}`
}

const tiers: ReadonlyArray<readonly [tier: Tier, pattern: RegExp]> = [
  ["development", /dev|review|trunk/i],
  ["testing", /test|tst|int|acc?e?pt|qa|qc|control|quality/i],
  ["staging", /sta?g|model|mode|mod|pre|demo|non/i],
  ["production", /pro?d|live/i]
]

/** What a name says of how near its environment is to users. */
export const tierOf = (name: string): Tier => tiers.find(([, pattern]) => pattern.test(name))?.[0] ?? "other"
