import { readFile } from "node:fs/promises"
import postgres from "postgres"
import { serveRounds, timedSteps } from "../serveRounds.ts"
import type { Statement } from "../statements/record.ts"

const [url = "", file = ""] = process.argv.slice(2)
const statements: ReadonlyArray<Statement> = JSON.parse(await readFile(file, "utf8"))

const client = postgres(url, {
  max: 10,
  fetch_types: false,
  onnotice: () => {},
  connection: { plan_cache_mode: "force_generic_plan" }
})
// The values are texts already.
for (const type of Object.keys(client.options.serializers)) delete client.options.serializers[Number(type)]

/** Sends each statement as soon as those are answered that had been answered in the recording, and makes JSON of all rows. */
const replay = async (): Promise<string> => {
  const answers: Array<Promise<unknown>> = []
  for (const { after, text, values } of statements) {
    const earlier = after.map((place) => answers[place])
    answers.push(Promise.all(earlier).then(() => client.unsafe(text, [...values], { prepare: true })))
  }
  return JSON.stringify(await Promise.all(answers))
}

serveRounds((round) => timedSteps(round, replay))
