import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { handle } from "../platform/Commands.ts"
import { OwnerLock } from "../platform/OwnerLock.ts"
import { userAggregate } from "../users/aggregate.ts"
import type { Moderation } from "../users/commands.ts"
import { UserQueries } from "../users/Queries.ts"
import { CommandFailed } from "./exit.ts"
import { withHelp } from "./help.ts"
import { asCommandLine, awaitOrWarn, findUser } from "./token.ts"

const thereIsOne = new CommandFailed({
  message: "There is an administrator who may use the service. Administrators make others so: PUT /users/:id with admin=true"
})

/** What lets a user use the service again. */
const readmission: Readonly<Record<string, Exclude<Moderation, { readonly _tag: "Deactivate" }>>> = {
  blocked: { _tag: "Unblock" },
  banned: { _tag: "Unban" },
  deactivated: { _tag: "Activate" }
}

const restored = Effect.fnUntraced(function* (name: string) {
  const user = yield* findUser(name)
  if (yield* UserQueries.use((users) => users.hasOtherAdministrator(0))) return yield* thereIsOne
  const order = readmission[user.state]
  if (order !== undefined) yield* Effect.orDie(handle(userAggregate, user.id, order))
  const { position } = yield* Effect.orDie(handle(userAggregate, user.id, { _tag: "Update", admin: true, changes: {} }))
  yield* awaitOrWarn(position)
  return user.username
})

/** Makes a user administrator where there is none; answers the user name. Fails with the reason otherwise. */
export const restoreAdministrator = (name: string) => OwnerLock.use((owners) => owners.withLock(restored(name)))

const restore = Command.make(
  "restore",
  { username: Argument.String("username").pipe(Argument.withDescription("Name or id of the user who becomes administrator")) },
  Effect.fn("cli.administrator.restore")(function* ({ username }) {
    const restoredName = yield* restoreAdministrator(username)
    yield* Console.log(`${restoredName} is an administrator and may use the service`)
  }, asCommandLine)
).pipe(
  withHelp({
    brief: "Make a user administrator where there is none",
    text: "Make a user administrator, also a blocked one, where no administrator is left who may use the service.",
    examples: [{ command: "npx chronoforge administrator restore root", description: "Then chronoforge token create root" }]
  })
)

/** Administrators, for when there is none left. */
export const administrator = Command.make("administrator").pipe(
  withHelp({
    brief: "Restore an administrator",
    text: "Restores an administrator where none is left.",
    examples: [
      { command: "npx chronoforge administrator restore root", description: "See chronoforge administrator restore --help" }
    ]
  }),
  Command.withSubcommands([restore])
)
