import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { afterAll, beforeAll } from "vitest"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"

interface RemoteRequest {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
}

/** A server of repositories, made of `git http-backend`. */
export interface Remote {
  /** `http://127.0.0.1:<port>`, where the repository `name` is at `/name.git`. */
  readonly url: string
  /** The folder in which the repositories lie. */
  readonly root: string
  /** Makes an empty repository. */
  readonly create: (name: string) => GitFixture
  readonly requests: ReadonlyArray<RemoteRequest>
  /** Lets requests for objects wait until what it answers is called. */
  readonly hold: () => () => void
}

/** What repositories below `/private/` need. */
export const credentials = { user: "importer", password: "s3cret/päss word" } as const
const authorized = `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString("base64")}`

const addressOf = (server: Server): string => {
  const bound = server.address()
  return typeof bound === "object" && bound !== null ? `127.0.0.1:${bound.port}` : ""
}

const fieldsOf = (head: string): Record<string, string> =>
  Object.fromEntries(
    head.split("\r\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()])
  )

/** Hands a request to the program, and its answer back. */
const backend = (root: string, { headers, method, url }: IncomingMessage, body: Buffer, response: ServerResponse): void => {
  const [path = "", query = ""] = (url ?? "").split("?", 2)
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env.PATH ?? "",
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: method ?? "GET",
      PATH_INFO: path,
      QUERY_STRING: query,
      CONTENT_TYPE: headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(headers["git-protocol"] ?? "")
    },
    stdio: ["pipe", "pipe", "ignore"]
  })
  child.stdin.on("error", () => {}).end(body)
  response.on("close", () => child.kill())
  let head = Buffer.alloc(0)
  child.stdout.on("data", (chunk: Buffer) => {
    if (response.headersSent) return void response.write(chunk)
    head = Buffer.concat([head, chunk])
    const end = head.indexOf("\r\n\r\n")
    if (end === -1) return
    const { Status: status = "200", ...fields } = fieldsOf(head.subarray(0, end).toString())
    response.writeHead(Number.parseInt(status, 10), fields).write(head.subarray(end + 4))
  })
  child.on("close", () => response.end())
}

/** Starts the server before the tests of the calling file and stops it after them. */
export const useRemote = (): Remote => {
  const requests: Array<RemoteRequest> = []
  let root = ""
  let held: Promise<unknown> = Promise.resolve()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { authorization } = request.headers
    const path = request.url ?? ""
    requests.push({ method: request.method ?? "", path, authorization })
    const body = await buffer(request)
    if (path.startsWith("/private/") && authorization !== authorized) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="remote"', "content-type": "text/plain" })
      return void response.end(`You sent ${authorization}\n`)
    }
    if (path.startsWith("/moved/")) return void response.writeHead(302, { location: path.slice("/moved".length) }).end()
    if (path.startsWith("/page/")) return void response.writeHead(200, { "content-type": "text/html" }).end("<html>\n<p>Hello\n")
    if (body.includes("command=fetch")) await held
    backend(root, request, body, response)
  }
  const server = createServer((request, response) => void answer(request, response))
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "chronoforge-remote-"))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  })
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await rm(root, { recursive: true, force: true })
  })
  return {
    get url() {
      return `http://${addressOf(server)}`
    },
    get root() {
      return root
    },
    create: (name) => emptyRepository(join(root, `${name}.git`)),
    requests,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => resolve()
    }
  }
}
