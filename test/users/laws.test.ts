import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { userAggregate } from "#src/users/aggregate.ts"
import type { Command } from "#src/users/commands.ts"
import { ProfileChanges, UserEvent, UserProfile, userCodec } from "#src/users/events.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"
import { creation, now } from "./samples.ts"

const { decide, initial } = userAggregate

const text = fc.string({ maxLength: 8 })
const day = fc.constantFrom("2024-01-01", "2024-06-29", "2024-06-30")
const identity = fc.record({ provider: fc.constantFrom("ldap", "saml"), externUid: text })
const profile: fc.Arbitrary<UserProfile> = fc.record({
  name: text,
  projectsLimit: fc.nat(9),
  canCreateGroup: fc.boolean(),
  external: fc.boolean(),
  privateProfile: fc.boolean(),
  bio: text,
  location: fc.option(text),
  publicEmail: fc.option(text),
  commitEmail: fc.option(text),
  skype: text,
  linkedin: text,
  twitter: text,
  discord: text,
  websiteUrl: text,
  organization: fc.option(text),
  jobTitle: text,
  pronouns: fc.option(text),
  note: fc.option(text),
  themeId: fc.integer({ min: 1, max: 11 }),
  colorSchemeId: fc.integer({ min: 1, max: 6 }),
  identities: fc.array(identity, { maxLength: 2 })
})
const keys = fc.subarray(Object.keys(UserProfile.fields))
const changes: fc.Arbitrary<ProfileChanges> = fc
  .tuple(profile, keys)
  .map(([all, kept]) =>
    Schema.decodeSync(ProfileChanges)(Object.fromEntries(Object.entries(all).filter(([key]) => kept.includes(key))))
  )

const { cases } = UserEvent
const name = fc.constantFrom("ada", "bob")
const event: fc.Arbitrary<UserEvent> = fc.oneof(
  fc
    .record({
      username: name,
      email: name,
      admin: fc.boolean(),
      confirmed: fc.boolean(),
      createdBy: fc.option(fc.nat()),
      profile,
      namespaceId: fc.nat()
    })
    .map((it) => cases.UserCreated.make(it)),
  changes.map((it) => cases.UserProfileChanged.make({ changes: it })),
  fc.record({ from: name, to: name }).map((it) => cases.UserRenamed.make(it)),
  fc.record({ from: name, to: name }).map((it) => cases.UserEmailChanged.make(it)),
  text.map((digest) => cases.UserPasswordChanged.make({ digest })),
  fc.nat().map((namespaceId) => cases.NamespaceGiven.make({ namespaceId })),
  day.map((it) => cases.UserWasActive.make({ day: it })),
  fc.boolean().map((hardDelete) => cases.UserDeleted.make({ hardDelete })),
  fc.constantFrom<UserEvent>(
    cases.AdministratorGranted.make({}),
    cases.AdministratorRevoked.make({}),
    cases.UserBlocked.make({}),
    cases.UserUnblocked.make({}),
    cases.UserDeactivated.make({}),
    cases.UserActivated.make({}),
    cases.UserBanned.make({}),
    cases.UserUnbanned.make({})
  )
)

const optional = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: undefined })
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ profile, admin: fc.boolean(), passwordDigest: fc.option(text) }).map((it) => ({ ...creation, ...it })),
  fc
    .record({ username: optional(name), email: optional(name), admin: optional(fc.boolean()), identity: optional(identity) })
    .chain(({ username, email, admin, identity: own }) =>
      fc.tuple(changes, optional(text)).map(([changed, passwordDigest]) => ({
        _tag: "Update" as const,
        ...(username === undefined ? {} : { username }),
        ...(email === undefined ? {} : { email }),
        ...(admin === undefined ? {} : { admin }),
        ...(own === undefined ? {} : { identity: own }),
        ...(passwordDigest === undefined ? {} : { passwordDigest }),
        changes: changed
      }))
    ),
  fc.constantFrom<Command>(
    { _tag: "Block" },
    { _tag: "Unblock" },
    { _tag: "Deactivate", at: now },
    { _tag: "Activate" },
    { _tag: "Ban" },
    { _tag: "Unban" }
  ),
  day.map((it) => ({ _tag: "NoteActivity" as const, day: it })),
  fc.boolean().map((hardDelete) => ({ _tag: "Delete" as const, hardDelete }))
)

const fold = foldOf(userAggregate)
const step = stepOf(userAggregate)

describe("laws of users", () => {
  it("events of any order fold", () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        expect(["Absent", "Active", "Blocked", "Deactivated", "Banned", "Deleted"]).toContain(fold(events)._tag)
      })
    )
  })

  itFoldsInParts(fold, event)

  it("a deleted user stays deleted", () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        expect(fold(events, { _tag: "Deleted" })).toEqual({ _tag: "Deleted" })
      })
    )
  })

  it("a command that is repeated adds nothing", () => {
    fc.assert(
      fc.property(fc.array(command), command, (past, given) => {
        const after = step(past.reduce(step, step(initial, creation)), given)
        expect(Result.getOrElse(decide(given, after), () => [])).toEqual([])
      }),
      { numRuns: 300 }
    )
  })

  itIsStored(userCodec, event)
})
