import { Agent, request as send } from "node:http"
import { defined } from "#src/kernel/defined.ts"
import { rootToken } from "./service.ts"

const agent = new Agent({ keepAlive: true })

interface Sending {
  readonly method: "GET" | "POST" | "PUT"
  readonly body?: object
  /** The default is root's. */
  readonly token?: string
}

/** Asks the service over connections that are kept, and reads the answer to its end; fails unless it is 2xx. */
export const request = (url: string, { body, method, token = rootToken }: Sending = { method: "GET" }): Promise<void> =>
  new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      "private-token": token,
      ...defined({ "content-type": text === undefined ? undefined : "application/json" })
    }
    const sent = send(url, { agent, method, headers }, (response) => {
      const { statusCode = 0 } = response
      response.resume()
      response.once("error", reject)
      response.once("end", () => {
        if (statusCode >= 200 && statusCode < 300) resolve()
        else reject(new Error(`${method} ${url}: ${statusCode}`))
      })
    })
    sent.once("error", reject)
    sent.end(text)
  })
