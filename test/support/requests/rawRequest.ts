import { connect, type Socket } from "node:net"

export interface RawAnswer {
  /** The status of the first answer; undefined when the connection ended without one. */
  readonly status: number | undefined
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** All that came after the headers, as sent. */
  readonly body: string
}

const parseAnswer = (text: string): RawAnswer => {
  const end = text.indexOf("\r\n\r\n")
  const [first = "", ...lines] = (end < 0 ? text : text.slice(0, end)).split("\r\n")
  const status = /^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]
  return {
    status: status === undefined ? undefined : Number(status),
    headers: Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
    ),
    body: end < 0 ? "" : text.slice(end + 4)
  }
}

/** A connection to the service at `url`, by default from any address of this machine. */
export const openSocket = (url: string, localAddress?: string): Socket => {
  const { hostname, port } = new URL(url)
  return connect({ host: hostname, port: Number(port), ...(localAddress !== undefined && { localAddress }) })
}

/**
 * Sends bytes as they are and reads until the service closes, which `Connection: close` asks for. Fails when it neither closes
 * nor sends anything for ten seconds. `cut` closes the sending side behind the bytes, which ends an unfinished request.
 */
export const rawRequest = (url: string, bytes: string | Uint8Array, { cut = false } = {}): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const socket = openSocket(url)
    const chunks: Array<Buffer> = []
    socket.setTimeout(10_000, () => socket.destroy(new Error("the service neither answered nor closed the connection")))
    socket.on("data", (chunk: Buffer) => chunks.push(chunk))
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // The service may close while the request is still being sent; what it said before counts.
      if (error.code === "EPIPE" || error.code === "ECONNRESET") resolve(parseAnswer(Buffer.concat(chunks).toString("latin1")))
      else reject(error)
    })
    socket.on("close", () => resolve(parseAnswer(Buffer.concat(chunks).toString("latin1"))))
    if (cut) socket.end(bytes)
    else socket.write(bytes)
  })
