import { request } from "../requests.ts"
import { serveRounds, timedSteps } from "../serveRounds.ts"

/** Who changes what: the path of a thing, and an attribute of it that takes any text. */
export interface Changer {
  readonly token: string
  readonly path: string
  readonly attribute: string
}

/** The arguments are the URL of the service, and a changer for each loop, as JSON. */
const [url = "", ...texts] = process.argv.slice(2)
const changers = texts.map((text): Changer => JSON.parse(text))

serveRounds((round) =>
  timedSteps(round, async (loop, index) => {
    const changer = changers[loop % changers.length]
    if (changer === undefined) throw new RangeError("nobody changes anything")
    const { attribute, path, token } = changer
    await request(`${url}${path}`, { method: "PUT", body: { [attribute]: `change ${index} of ${loop}` }, token })
  })
)
