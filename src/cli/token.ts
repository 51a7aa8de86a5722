import { Clock, Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { isoDate } from "../http/answer/jsonTimes.ts"
import { handle } from "../platform/Commands.ts"
import { CurrentOrigin, systemOrigin } from "../platform/Origin.ts"
import { Projections } from "../platform/Projections.ts"
import { tokenAggregate } from "../tokens/aggregate.ts"
import { expiryError, latestExpiry } from "../tokens/expiry.ts"
import { issueToken } from "../tokens/issue/issue.ts"
import { TokenQueries } from "../tokens/Queries.ts"
import { scopes as knownScopes } from "../tokens/scopes.ts"
import { accountRefusal, Users } from "../users/Users.ts"
import { CommandFailed } from "./exit.ts"
import { withHelp } from "./help.ts"
import { Lifetime, lifetimeMillis } from "./lifetime.ts"
import { table } from "./table.ts"

/** Tells the log that the command line did it. */
export const asCommandLine = Effect.provideService(CurrentOrigin, systemOrigin("cli"))

export const findUser = (name: string) =>
  Users.use((users) => users.findByIdOrUsername(name)).pipe(
    Effect.filterOrFail(
      (user) => user !== undefined,
      () => new CommandFailed({ message: `There is no user ${name}` })
    )
  )

/** Waits until the read models show the write; when they lag behind, the command only says so. */
export const awaitOrWarn = (position: number) =>
  Projections.use((projections) => projections.awaitPosition(position)).pipe(
    Effect.catchTag("NotYetVisible", () => Console.error("The read models lag behind: it takes effect when they have caught up"))
  )

const Scopes = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter((text: string) => {
      const unknown = text.split(",").filter((scope) => !knownScopes.some((known) => known === scope))
      return unknown.length === 0 ? undefined : `unknown scope ${unknown.join(", ")}; there are ${knownScopes.join(", ")}`
    })
  )
)

const username = Argument.String("username").pipe(Argument.withDescription("Name or id of the user whom the token belongs to"))

const create = Command.make(
  "create",
  {
    username,
    name: Flag.String("name").pipe(
      Flag.withSchema(Schema.NonEmptyString.check(Schema.isMaxLength(255))),
      Flag.withDescription("What the token is for"),
      Flag.withDefault("command line")
    ),
    scopes: Flag.String("scopes").pipe(
      Flag.withSchema(Scopes),
      Flag.withDescription("What it allows, separated by commas"),
      Flag.withDefault("api")
    ),
    expiresIn: Flag.String("expires-in").pipe(
      Flag.withSchema(Lifetime),
      Flag.withDescription("How long it is valid, such as 30d, 12w or 1y; the longest time, one year, unless given"),
      Flag.optional
    )
  },
  Effect.fn("cli.token.create")(function* ({ expiresIn, name, scopes, username: owner }) {
    const user = yield* findUser(owner)
    const refusal = accountRefusal(user)
    if (refusal !== undefined) return yield* new CommandFailed({ message: `${user.username} cannot use a token: ${refusal}` })
    const now = yield* Clock.currentTimeMillis
    const expiresAt = Option.match(expiresIn, {
      onNone: () => latestExpiry(now),
      onSome: (lifetime) => isoDate(now + lifetimeMillis(lifetime))
    })
    const problem = expiryError(expiresAt, now)
    if (problem !== undefined) return yield* new CommandFailed({ message: problem })
    const input = { userId: user.id, name, scopes: scopes.split(","), expiresAt, rotatedFrom: null }
    const { id, position, text } = yield* issueToken(input)
    yield* awaitOrWarn(position)
    yield* Console.error(`Token ${id} of ${user.username} (${scopes}), valid until ${expiresAt}. It is shown only now:`)
    yield* Console.log(text)
  }, asCommandLine)
).pipe(
  withHelp({
    brief: "Issue a personal access token",
    text: "Issue a personal access token and print it, once. The token alone goes to the standard output.",
    examples: [
      { command: "npx chronoforge token create root --name laptop", description: "A token with scope api for one year" },
      {
        command: "TOKEN=$(npx chronoforge token create root --scopes read_api,read_user --expires-in 30d)",
        description: "A read-only token for a month, kept in a variable"
      }
    ]
  })
)

/** The command lists at most this many tokens. */
const maxListed = 1_000

const list = Command.make(
  "list",
  { username },
  Effect.fn("cli.token.list")(function* ({ username: owner }) {
    const user = yield* findUser(owner)
    const filter = { userId: user.id, order: { by: "id", descending: false } } as const
    const { tokens } = yield* TokenQueries.use((queries) => queries.list(filter, { offset: 0, limit: maxListed }))
    const rows = tokens.map((token) => [
      String(token.id),
      token.name,
      token.scopes.join(","),
      token.revoked ? "revoked" : token.expires_at === null ? "for ever" : `until ${token.expires_at}`,
      token.last_used_at === null ? "never used" : `used ${isoDate(token.last_used_at)}`
    ])
    yield* Console.log(rows.length === 0 ? `${user.username} has no tokens` : table(rows))
  })
).pipe(
  withHelp({
    brief: "List the personal access tokens of a user",
    text: "List the personal access tokens of a user.",
    examples: [{ command: "npx chronoforge token list root", description: "Id, name, scopes, validity and last use of each" }]
  })
)

const revoke = Command.make(
  "revoke",
  { id: Argument.Int("id").pipe(Argument.withDescription("Id of the token, as token list shows it")) },
  Effect.fn("cli.token.revoke")(function* ({ id }) {
    const token = yield* TokenQueries.use((queries) => queries.find(id))
    if (token === undefined) return yield* new CommandFailed({ message: `There is no token ${id}` })
    const handled = yield* Effect.orDie(handle(tokenAggregate, id, { _tag: "Revoke", reason: "requested" }))
    yield* awaitOrWarn(handled.position)
    yield* Console.log(handled.events.length === 0 ? `Token ${id} was revoked before` : `Token ${id} is revoked`)
  }, asCommandLine)
).pipe(
  withHelp({
    brief: "Revoke a personal access token",
    text: "Revoke a personal access token.",
    examples: [{ command: "npx chronoforge token revoke 7", description: "Refused from the next request on" }]
  })
)

/** Personal access tokens, for when there is no other way in. */
export const token = Command.make("token").pipe(
  withHelp({
    brief: "Issue, list and revoke personal access tokens",
    text: "Issues, lists and revokes personal access tokens, for when there is no other way in.",
    examples: [
      { command: "npx chronoforge token create root", description: "A token for root; see chronoforge token create --help" }
    ]
  }),
  Command.withSubcommands([create, list, revoke])
)
