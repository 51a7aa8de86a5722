import { request } from "node:http"

export interface AnswerFrom {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
}

/** Asks for a URL from an address of this machine, such as `127.0.0.2`, over a connection of its own. */
export const requestFrom = (
  localAddress: string,
  url: string,
  headers: Readonly<Record<string, string>> = {}
): Promise<AnswerFrom> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { localAddress, headers, agent: false }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject)
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() })
      })
    })
    sent.on("error", reject).end()
  })

export const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`
