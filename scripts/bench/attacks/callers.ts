import { Agent, type IncomingMessage, request } from "node:http"
import type { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import type { Account, Hosted, Target } from "./Attack.ts"

/** Who is refused tries again soon, but not as fast as the machine can: a flood of refusals would be another attack. */
export const pauseMillis = 100

/** How often each status was answered; 0 stands for connections that broke. */
const answered = new Map<number, number>()

export const answers = (): Readonly<Record<string, number>> => Object.fromEntries(answered)

export const count = (status: number): void => {
  answered.set(status, (answered.get(status) ?? 0) + 1)
}

/** Each caller has an address of its own, which is not that of the innocent one. */
export const addressOf = (caller: number): string => `127.0.${1 + (caller >> 7)}.${1 + (caller & 127)}`

const agents = new Map<number, Agent>()

const agentOf = (caller: number): Agent => {
  const agent = agents.get(caller) ?? new Agent({ keepAlive: true, localAddress: addressOf(caller) })
  agents.set(caller, agent)
  return agent
}

export interface Call {
  readonly url: string
  readonly method?: "GET" | "POST" | "PUT"
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | Readable
  /** How fast the answer is taken; by default as it comes. */
  readonly bytesPerSecond?: number
}

/** Takes an answer no faster than that. */
const takeSlowly = (response: IncomingMessage, bytesPerSecond: number): void => {
  response.on("data", (chunk: Buffer) => {
    response.pause()
    setTimeout(() => response.resume(), (chunk.length * 1_000) / bytesPerSecond)
  })
}

/** Sends a request from the address of a caller, and throws its answer away as it comes; the status, or 0 where the connection broke. */
export const call = (caller: number, { body, bytesPerSecond, headers = {}, method = "GET", url }: Call): Promise<number> =>
  new Promise((resolve) => {
    const settle = (status: number) => {
      // Who is answered early sends no more.
      if (!sent.writableFinished) sent.destroy()
      if (body !== undefined && !Buffer.isBuffer(body)) body.destroy()
      resolve(status)
    }
    const sent = request(url, { agent: agentOf(caller), method, headers }, (response) => {
      if (bytesPerSecond === undefined) response.resume()
      else takeSlowly(response, bytesPerSecond)
      response.once("close", () => settle(response.complete ? (response.statusCode ?? 0) : 0))
    })
    sent.on("error", () => settle(0))
    if (body === undefined || Buffer.isBuffer(body)) return sent.end(body)
    body.pipe(sent)
  })

/** So many callers at once, each of whom does the next step when the last one was answered, until the process ends. */
export const callers = async (number: number, step: (caller: number, index: number) => Promise<number>): Promise<void> => {
  const repeat = async (caller: number): Promise<never> => {
    for (let index = 0; ; index++) {
      const status = await step(caller, index)
      count(status)
      if (status === 0 || status >= 400) await sleep(pauseMillis)
    }
  }
  await Promise.all(Array.from({ length: number }, (_, caller) => repeat(caller)))
}

/** Callers without a token, each of whom asks for these paths in turn, from a place of their own on. */
export const readers = (number: number, { url }: Target, paths: ReadonlyArray<string>): Promise<void> =>
  callers(number, (caller, index) => call(caller, { url: `${url}${paths[(caller + index) % paths.length]}` }))

/** The URL of a repository for git over HTTP. */
export const repositoryUrl = ({ url }: Target, { path }: Hosted): string => `${new URL(url).origin}/${path}.git`

export const basic = ({ username }: Account, password: string): string => `Basic ${btoa(`${username}:${password}`)}`

/** A line of the protocol of git. */
export const packet = (text: string): string => (Buffer.byteLength(text) + 4).toString(16).padStart(4, "0") + text
