/** Asks the service for one user. */
export interface Client {
  /** Sends a request with a JSON body and gives the body of its answer. Fails unless the answer is a success. */
  readonly send: (method: "GET" | "POST" | "PUT", path: string, json?: object) => Promise<Body>
}

/** A JSON object of an answer. */
export type Body = Readonly<Record<string, unknown>>

/** An answer that is none of success: it names what was asked for. */
export class Refused extends Error {
  readonly status: number
  constructor(asked: string, status: number, answer: string) {
    super(`${asked} was answered ${status}: ${answer.slice(0, 500)}`)
    this.status = status
  }
}

/** Nobody answers there. */
export class Unanswered extends Error {}

const parsed = (text: string): Body => {
  const body: unknown = text === "" ? {} : JSON.parse(text)
  return typeof body === "object" && body !== null ? { ...body } : {}
}

/** `url`: where the service listens, such as `http://127.0.0.1:8080`. */
export const makeClient = (url: string, token: string): Client => ({
  send: async (method, path, json) => {
    const body = json === undefined ? {} : { body: JSON.stringify(json) }
    const headers = { "private-token": token, "content-type": "application/json" }
    const answer = await fetch(`${url}/api/v4${path}`, { method, headers, ...body }).catch((cause) => {
      throw new Unanswered(`${url} does not answer`, { cause })
    })
    const text = await answer.text()
    if (!answer.ok) throw new Refused(`${method} ${path}`, answer.status, text)
    return parsed(text)
  }
})

/** The id in a body. */
export const idOf = ({ id }: Body): number => Number(id)
