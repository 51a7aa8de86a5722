import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { bar } from "#src/cli/progressBar.ts"
import { makeRandom } from "../bench/random.ts"
import { type Client, idOf, makeClient, Refused, Unanswered } from "./client.ts"
import { fates, makeMergeRequest } from "./mergeRequests.ts"
import { cast, makePerson, type Person } from "./people.ts"
import { commits, commitToMain, makeProject, type World } from "./project.ts"

const usage = `Fills a running service with a world to look at, through its API: users, a group, a project with a history, issues, and 40 merge
requests in every state.

  npm run seed -- [--url http://127.0.0.1:8080] [--token TOKEN]

The token is that of an administrator; without one it is read from data/root-token (or DATA_DIR).`

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://127.0.0.1:8080" },
    token: { type: "string" },
    help: { type: "boolean", default: false }
  }
})

const group = "analytical"

const tokenFile = join(process.env.DATA_DIR ?? "data", "root-token")

const tokenOf = async () => {
  if (values.token !== undefined) return values.token
  const text = await readFile(tokenFile, "utf8").catch(() => undefined)
  return text?.trim() ?? stop(`${tokenFile} cannot be read`, "Name the token of an administrator with --token.")
}

/** Something that whoever calls the program has to put right, and how. */
class Stopped extends Error {}

const stop = (message: string, hint: string): never => {
  throw new Stopped(`${message}\n  ${hint}`)
}

/** Shows on a terminal how many steps are done. */
const progress = (total: number) => {
  let done = 0
  return () => {
    done++
    if (process.stderr.isTTY)
      process.stderr.write(`\r\x1b[2K${bar({ fraction: done / total, rate: undefined, secondsLeft: undefined })}`)
  }
}

const atLeastOne = (people: ReadonlyArray<Person>): World["people"] => {
  const [first, ...others] = people
  if (first === undefined) throw new Error("A world needs people")
  return [first, ...others]
}

const makeWorld = async (root: Client, step: () => void): Promise<World> => {
  const groupId = idOf(await root.send("POST", "/groups", { name: "Analytical", path: group, visibility: "public" }))
  const people: Array<Person> = []
  for (const role of cast) {
    people.push(await makePerson(values.url, root, groupId, role))
    step()
  }
  const maintainers = atLeastOne(people.filter(({ role }) => role === "maintainer"))
  return { ...(await makeProject(maintainers[0], groupId)), people: atLeastOne(people), maintainers, random: makeRandom(7) }
}

const plans = fates.flatMap((each) => Array.from({ length: each.count }, () => each))

const seed = async () => {
  const step = progress(cast.length + commits + 2 * plans.length)
  const world = await makeWorld(makeClient(values.url, await tokenOf()), step)
  const { people, projectId, random } = world
  const written = new Set<string>()
  for (let number = 0; number < commits; number++) {
    await commitToMain(world, number, written)
    step()
  }
  for (const number of plans.keys()) {
    const json = { title: `Note ${number + 1} is missing`, labels: "documentation" }
    await random.oneOf(...people).send("POST", `/projects/${projectId}/issues`, json)
    step()
  }
  for (const [index, plan] of random.shuffled(plans).entries()) {
    await makeMergeRequest(world, index + 1, plan)
    step()
  }
}

const hintFor = ({ status }: Refused): string =>
  status === 401 || status === 403
    ? "The token has to be that of an administrator of this service: name it with --token."
    : "A world is made once: begin with a service that has none."

/** What to say of an error that is no fault of the program. */
const explanationOf = (error: unknown): string | undefined => {
  if (error instanceof Stopped) return error.message
  if (error instanceof Refused) return `${error.message}\n  ${hintFor(error)}`
  return error instanceof Unanswered ? `${error.message}\n  Start the service, or name it with --url.` : undefined
}

if (values.help) console.log(usage)
else {
  try {
    await seed()
    process.stderr.write(process.stderr.isTTY ? "\r\x1b[2K" : "")
    const url = `${values.url}/api/v4/projects/${group}%2Fengine/merge_requests`
    console.log(
      `The world is there: ${cast.length} users, ${commits} commits, ${plans.length} issues, ${plans.length} merge requests.\n  ${url}`
    )
  } catch (error) {
    const explanation = explanationOf(error)
    if (explanation === undefined) throw error
    console.error(explanation)
    process.exitCode = 1
  }
}
