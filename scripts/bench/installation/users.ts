import { defined } from "#src/kernel/defined.ts"
import { type TokenEvent, tokenCodec } from "#src/tokens/events.ts"
import { tokenStream } from "#src/tokens/ids.ts"
import { tokenDigest } from "#src/tokens/issue/secret.ts"
import { UserEvent, userCodec } from "#src/users/events.ts"
import { userStream } from "#src/users/ids.ts"
import { namesOf } from "#src/users/names.ts"
import { newProfile } from "#src/users/profile.ts"
import type { Random } from "../random.ts"
import { numbers, type Story, story } from "./Story.ts"

/** User 1, with namespace 1, is `root`; the namespace of every other one has the id of its user, too. */
export const users = { first: 2, count: 5_000 }
/** The number of users who have a token, the first ones. */
const tokens = 100

/** The text of the token of one of the first hundred users. */
export const tokenOf = (userId: number): string => `glpat-benchmark-user-${userId}`

const first = [
  "Ada",
  "Barbara",
  "Chen",
  "Dmitri",
  "Edsger",
  "Frances",
  "Grace",
  "Hedy",
  "Ivan",
  "Jean",
  "Katherine",
  "Linus"
] as const
const last = ["Allen", "Borg", "Curie", "Dijkstra", "Euler", "Franklin", "Gauss", "Hopper", "Ito", "Johnson", "Knuth"] as const

/** The day as `YYYY-MM-DD`. */
const dayOf = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

const profileOf = (name: string, username: string, random: Random) =>
  newProfile(
    name,
    defined({
      bio: random.isAmong(0.4)
        ? `Works on ${random.oneOf("parsers", "kernels", "fonts", "compilers")} since ${2000 + random.below(25)}.`
        : undefined,
      location: random.isAmong(0.5) ? random.oneOf("Lisbon", "Oslo", "Nairobi", "Kyoto", "Lima") : undefined,
      organization: random.isAmong(0.3) ? random.oneOf("Analytical Engines", "Difference Ltd", "Babbage & Sons") : undefined,
      jobTitle: random.isAmong(0.3) ? random.oneOf("Engineer", "Designer", "Operator") : undefined,
      publicEmail: random.isAmong(0.2) ? `${username}@example.com` : undefined,
      websiteUrl: random.isAmong(0.2) ? `https://${username}.example.org` : undefined,
      privateProfile: random.isAmong(0.1) || undefined,
      external: random.isAmong(0.03) || undefined,
      identities: random.isAmong(0.1) ? [{ provider: "saml", externUid: username }] : undefined
    })
  )

/** The users who have a token are active. */
const fate = (id: number, random: Random): ReadonlyArray<UserEvent> => {
  const active = UserEvent.cases.UserWasActive.make({ day: dayOf(random.below(120)) })
  if (id < users.first + tokens) return [active]
  if (random.isAmong(0.03)) return [UserEvent.cases.UserBlocked.make({})]
  if (random.isAmong(0.03)) return [UserEvent.cases.UserDeactivated.make({})]
  return random.isAmong(0.7) ? [active] : []
}

const user = (id: number, random: Random): Story => {
  const name = `${random.oneOf(...first)} ${random.oneOf(...last)}`
  const username = `${name.toLowerCase().replace(" ", ".")}.${id}`
  const account = { username, email: `${username}@example.com`, profile: profileOf(name, username, random) }
  const created: UserEvent = {
    _tag: "UserCreated",
    ...account,
    admin: random.isAmong(0.002),
    confirmed: random.isAmong(0.95),
    createdBy: random.isAmong(0.9) ? 1 : null,
    namespaceId: id
  }
  return story(userCodec, userStream(id), [created, ...fate(id, random)], namesOf(account))
}

const token = (id: number): Story => {
  const userId = users.first + id - 1
  const digest = tokenDigest(tokenOf(userId)).toString("hex")
  const issued: TokenEvent = {
    _tag: "TokenIssued",
    userId,
    name: "benchmark",
    scopes: ["api"],
    expiresAt: null,
    digest,
    rotatedFrom: null
  }
  return story(tokenCodec, tokenStream(id), [issued])
}

/** The users but for `root`, and the tokens of some. */
export const userStories = (random: Random): ReadonlyArray<Story> => [
  ...numbers(users.first, users.count).map((id) => user(id, random)),
  ...numbers(1, tokens).map(token)
]
