import { Result } from "effect"
import type { Command } from "./commands.ts"
import { KeyExists, KeyMissing, type Refusal } from "./errors.ts"
import { UserKeyEvent } from "./events.ts"
import type { State } from "./state.ts"

const event = UserKeyEvent.cases

export const decide = (command: Command, state: State): Result.Result<ReadonlyArray<UserKeyEvent>, Refusal> => {
  switch (command._tag) {
    case "Add":
      return state._tag === "Absent" ? Result.succeed([event.SshKeyAdded.make(command.key)]) : Result.fail(new KeyExists())
    case "Remove":
      return state._tag === "Present" ? Result.succeed([event.SshKeyRemoved.make({})]) : Result.fail(new KeyMissing())
  }
}
