import { spawn } from "node:child_process"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { gitEnvironment } from "../plainGit.ts"

const [root = ""] = process.argv.slice(2)

const headerOf = (request: IncomingMessage, name: string): string => String(request.headers[name] ?? "")

/** What CGI hands over of a request. */
const variables = (request: IncomingMessage): Readonly<Record<string, string>> => {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost")
  return {
    ...gitEnvironment,
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: "1",
    GIT_PROTOCOL: headerOf(request, "git-protocol"),
    REQUEST_METHOD: request.method ?? "GET",
    PATH_INFO: pathname,
    QUERY_STRING: search.slice(1),
    CONTENT_TYPE: headerOf(request, "content-type"),
    CONTENT_LENGTH: headerOf(request, "content-length"),
    HTTP_CONTENT_ENCODING: headerOf(request, "content-encoding")
  }
}

/** Answers with what a CGI program prints: lines of headers, an empty one, the body. */
const relay = (output: NodeJS.ReadableStream, response: ServerResponse): void => {
  let head = Buffer.alloc(0)
  const onHead = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf("\r\n\r\n")
    if (end === -1) return
    output.off("data", onHead)
    for (const line of head.toString("latin1", 0, end).split("\r\n")) {
      const [, name = "", value = ""] = /^([^:]+): *(.*)$/.exec(line) ?? []
      if (name === "Status") response.statusCode = Number.parseInt(value, 10)
      else response.setHeader(name, value)
    }
    response.write(head.subarray(end + 4))
    output.pipe(response)
  }
  output.on("data", onHead)
}

/** Serves the repositories of a folder with `git http-backend`, as a web server with CGI does. */
const server = createServer((request, response) => {
  const child = spawn("git", ["http-backend"], { env: variables(request), stdio: ["pipe", "pipe", "inherit"] })
  child.stdin.on("error", () => {})
  request.pipe(child.stdin)
  relay(child.stdout, response)
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.(typeof address === "object" && address !== null ? address.port : 0)
})
process.on("disconnect", () => process.exit())
