import { Cause, Console, Effect, Exit } from "effect"
import { CliError } from "effect/cli"
import { assert, describe, it } from "vitest"
import { CheckFailed, CommandFailed, explainStart, teardown } from "#src/cli/exit.ts"
import { EventStoreUnavailable } from "#src/platform/eventStore/EventStore.ts"
import { SqlError } from "#src/platform/sql/Sql.ts"

const codeOf = (exit: Exit.Exit<unknown, unknown>, isService = false): number => {
  let code = -1
  teardown(isService)(exit, (given) => {
    code = given
  })
  return code
}

const usage = new CliError.MissingArgument({ argument: "username" })

describe("exit codes", () => {
  const cells: ReadonlyArray<readonly [string, Exit.Exit<unknown, unknown>, number]> = [
    ["success", Exit.void, 0],
    ["help that was asked for", Exit.fail(new CliError.ShowHelp({ commandPath: [], errors: [] })), 0],
    ["a failed check", Exit.fail(new CheckFailed()), 1],
    ["a thing that does not exist", Exit.fail(new CommandFailed({ message: "There is no user nobody" })), 1],
    ["wrong usage", Exit.fail(new CliError.ShowHelp({ commandPath: [], errors: [usage] })), 2],
    ["an unforeseen failure", Exit.die(new Error("lost connection")), 3],
    ["Ctrl-C", Exit.failCause(Cause.interrupt(1)), 130]
  ]
  for (const [name, exit, code] of cells) it(name, () => assert.strictEqual(codeOf(exit), code))

  const lost = new SqlError({ cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) })
  const unavailable = "The event store is unavailable"
  const losses: ReadonlyArray<readonly [string, unknown, string]> = [
    ["a lost database", lost, "Lost the database: read ECONNRESET"],
    ["one with the log", new EventStoreUnavailable({ cause: lost }), `Lost the database: ${unavailable}: read ECONNRESET`],
    ["another lost log", new EventStoreUnavailable({ cause: "no answer" }), `${unavailable}: no answer`]
  ]
  for (const [name, defect, line] of losses) {
    it(`${name} ends a start with one line, whatever else failed with it`, async () => {
      const printed: Array<unknown> = []
      const program = explainStart(Effect.failCause(Cause.combine(Cause.die(defect), Cause.die(new Error("a finalizer failed")))))
      const recording = Object.assign(Object.create(console), { error: (...of: ReadonlyArray<unknown>) => printed.push(...of) })
      const exit = await Effect.runPromiseExit(Effect.provideService(program, Console.Console, recording))
      assert.deepStrictEqual([codeOf(exit), printed], [3, [line]])
    })
  }

  it("a service that is told to stop has done its work", () => {
    assert.strictEqual(codeOf(Exit.failCause(Cause.interrupt(1)), true), 0)
  })
})
