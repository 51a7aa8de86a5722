import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { Repositories } from "../git/Repositories.ts"
import { RepositoryTasks } from "../git/RepositoryTasks.ts"
import { cleanUpAllRepositories } from "../projects/lifecycle/cleanUp.ts"
import { withHelp } from "./help.ts"

/** Has all repositories looked at, which nobody does unasked, and removes what earlier versions may have left among them. */
export const reconcile = Command.make(
  "reconcile",
  {},
  Effect.fn("cli.reconcile")(function* () {
    const removed = yield* cleanUpAllRepositories
    const { ids, of } = yield* Repositories
    const repositories = (yield* ids).map(of)
    yield* RepositoryTasks.use((tasks) => tasks.scheduleAll(repositories))
    const count = `${repositories.length} ${repositories.length === 1 ? "repository" : "repositories"}`
    if (removed > 0) yield* Console.log(`Removed ${removed} that were incomplete, or of deleted projects`)
    yield* Console.log(`${count} noted: the service compares them with the log, and maintains them, one after the other`)
  })
).pipe(
  withHelp({
    brief: "Have all repositories compared with the log",
    text:
      "Has the service, the running one or the next, compare the refs of all repositories with the log, record what differs, " +
      "and maintain them. Removes repositories of deleted projects, and incomplete ones. After a backup was put back, or after something else wrote to repositories: " +
      "by itself the service looks at what it wrote to only.",
    examples: [
      {
        command: "npx chronoforge reconcile",
        description: "After the database, or the repositories, were put back from a backup"
      }
    ]
  })
)
