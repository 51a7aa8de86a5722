import { Agent, get } from "node:http"
import { rootToken } from "./service.ts"

const agent = new Agent({ keepAlive: true })

/** Asks the service as root, over connections that are kept, and reads the answer to its end; fails unless it is 2xx. */
export const request = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = get(url, { agent, headers: { "private-token": rootToken } }, (response) => {
      const { statusCode = 0 } = response
      response.resume()
      response.once("error", reject)
      response.once("end", () => {
        if (statusCode >= 200 && statusCode < 300) resolve()
        else reject(new Error(`${url}: ${statusCode}`))
      })
    })
    sent.once("error", reject)
  })
