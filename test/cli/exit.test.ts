import { Cause, Exit } from "effect"
import { CliError } from "effect/cli"
import { assert, describe, it } from "vitest"
import { CheckFailed, CommandFailed, teardown } from "#src/cli/exit.ts"

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

  it("a service that is told to stop has done its work", () => {
    assert.strictEqual(codeOf(Exit.failCause(Cause.interrupt(1)), true), 0)
  })
})
