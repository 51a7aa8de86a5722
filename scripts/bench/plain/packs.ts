import { request } from "node:http"
import { serveRounds } from "../serveRounds.ts"

/** The URL of a repository for git over HTTP, with credentials if it wants them, and the commit to fetch. */
const [remote = "", tip = ""] = process.argv.slice(2)
const { password, username, origin, pathname } = new URL(remote)

const packet = (text: string): string => (text.length + 4).toString(16).padStart(4, "0") + text

/** Asks for all objects as a clone does, and throws them away as they come: what a client does with them takes longer than to send them. */
const fetchPack = (body: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/x-git-upload-pack-request",
      ...(username && { authorization: `Basic ${btoa(`${username}:${password}`)}` })
    }
    const url = `${origin}${pathname.replace(/\/$/, "")}/git-upload-pack`
    const sent = request(url, { agent: false, method: "POST", headers }, (response) => {
      let bytes = 0
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.once("error", reject)
      response.once("end", () => {
        if (response.statusCode === 200 && bytes > 10_000) resolve()
        else reject(new Error(`${remote}: ${response.statusCode} with ${bytes} bytes`))
      })
    })
    sent.once("error", reject)
    sent.end(body)
  })

let rounds = 0

/** So many fetches of the same at once, of something that nobody has asked for before; the milliseconds until the last one ends. */
serveRounds(async ({ parallel }) => {
  const agent = `agent=benchmark/${process.pid}.${rounds++}`
  const body = `${packet(`want ${tip} side-band-64k ofs-delta no-progress ${agent}\n`)}0000${packet("done\n")}`
  const start = performance.now()
  await Promise.all(Array.from({ length: parallel }, () => fetchPack(body)))
  return { last: performance.now() - start }
})
