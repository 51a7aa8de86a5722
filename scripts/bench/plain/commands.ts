import { spawn } from "node:child_process"
import { once } from "node:events"
import { gitEnvironment } from "../plainGit.ts"
import { serveRounds, timedSteps } from "../serveRounds.ts"

/** Each argument is a step: a JSON array of commands, to be run one after the other. */
const steps: ReadonlyArray<ReadonlyArray<ReadonlyArray<string>>> = process.argv.slice(2).map((text) => JSON.parse(text))

/** Runs a command to its end, and reads what it prints. */
const run = async ([file = "", ...args]: ReadonlyArray<string>): Promise<void> => {
  const child = spawn(file, args, { env: gitEnvironment, stdio: ["ignore", "pipe", "inherit"] })
  child.stdout.resume()
  const [status] = await once(child, "close")
  if (status !== 0) throw new Error(`${[file, ...args].join(" ")} ended with ${status}`)
}

serveRounds((round) =>
  timedSteps(round, async (_, index) => {
    for (const command of steps[index % steps.length] ?? []) await run(command)
  })
)
