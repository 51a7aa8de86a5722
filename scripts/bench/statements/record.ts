import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { bindOf, makeReader, parseOf } from "./messages.ts"

/** A statement with its values, sent after the server had answered those that `after` names by their places in the recording. */
export interface Statement {
  readonly text: string
  readonly values: ReadonlyArray<string | null>
  readonly after: ReadonlyArray<number>
}

interface Recording {
  readonly statements: Array<Statement>
  readonly answered: Set<number>
}

export interface Recorder {
  /** The URL under which the service has to see the database, so that its statements are recorded. */
  readonly databaseUrl: string
  /** The statements that are sent while `run` takes, without those that the service sends by itself from time to time. */
  readonly statementsOf: (run: () => Promise<unknown>) => Promise<ReadonlyArray<Statement>>
}

const relay = (from: Socket, to: Socket, read: (chunk: Buffer) => void): void => {
  from.on("data", (chunk: Buffer) => {
    read(chunk)
    to.write(chunk)
  })
  from.on("close", () => to.destroy())
  from.on("error", () => to.destroy())
}

/** Reads the statements of one connection into the current recording. */
const watch = (current: () => Recording) => {
  const texts = new Map<string, string>()
  const sent: Array<(() => void) | undefined> = []
  let bound: (() => void) | undefined
  // The server says that it is ready once before anything is sent.
  let isReady = false
  const onClient = (type: string, body: Buffer): void => {
    if (type === "P") {
      const { name, text } = parseOf(body)
      texts.set(name, text)
    } else if (type === "B") {
      const { answered, statements } = current()
      const { name, values } = bindOf(body)
      const place = statements.push({ text: texts.get(name) ?? "", values, after: [...answered] }) - 1
      bound = () => answered.add(place)
    } else if (type === "S" || type === "Q") {
      sent.push(bound)
      bound = undefined
    }
  }
  const onServer = (type: string): void => {
    if (type !== "Z") return
    if (isReady) sent.shift()?.()
    isReady = true
  }
  return { client: makeReader(onClient, true), server: makeReader(onServer, false) }
}

const isSame = (some: ReadonlyArray<Statement>, others: ReadonlyArray<Statement>): boolean =>
  some.map(({ text }) => text).join() === others.map(({ text }) => text).join()

/** Runs a relay to the database, which reads what passes, for as long as `use` takes. */
export const withRecorder = async <A>(databaseUrl: string, use: (recorder: Recorder) => Promise<A>): Promise<A> => {
  const { hostname, port } = new URL(databaseUrl)
  const empty = (): Recording => ({ statements: [], answered: new Set() })
  let recording = empty()
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(Number(port), hostname)
    sockets.add(client).add(database)
    const read = watch(() => recording)
    relay(client, database, read.client)
    relay(database, client, read.server)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  const own = typeof address === "object" && address !== null ? address.port : 0
  const recorded = async (run: () => Promise<unknown>): Promise<ReadonlyArray<Statement>> => {
    recording = empty()
    await run()
    return [...recording.statements]
  }
  try {
    return await use({
      databaseUrl: Object.assign(new URL(databaseUrl), { port: String(own) }).href,
      statementsOf: async (run) => {
        for (let before = await recorded(run); ; ) {
          const again = await recorded(run)
          if (isSame(before, again)) return again
          before = again
        }
      }
    })
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}
