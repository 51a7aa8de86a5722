import { randomUUID } from "node:crypto"
import type { StreamsClient } from "@eventstore/db-client/generated/streams_grpc_pb.js"
import type { BatchAppendReq, BatchAppendResp } from "@eventstore/db-client/generated/streams_pb.js"

type Duplex = ReturnType<StreamsClient["batchAppend"]>

/** An append that is on its way. */
interface Sent {
  readonly resolve: (answer: BatchAppendResp) => void
  readonly reject: (cause: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** A call that carries appends. It ends when the server goes away, which can come back with another log. */
export interface AppendCall {
  readonly isOpen: () => boolean
  /**
   * Sends the request that is made for an id. Rejects when the call is lost before the answer, which leaves open what is stored, and without
   * sending when the call is not open.
   */
  readonly append: (requestFor: (id: string) => BatchAppendReq) => Promise<BatchAppendResp>
  /** Takes no more appends, and ends when those that are on their way are answered. */
  readonly retire: () => void
}

const makeAppendCall = (duplex: Duplex, answerMillis: number): AppendCall => {
  const sent = new Map<string, Sent>()
  let isOpen = true

  const end = () => {
    duplex.cancel()
    // One that the server has ended already is not ended by that.
    duplex.destroy()
  }

  const take = (id: string): Sent | undefined => {
    const found = sent.get(id)
    sent.delete(id)
    clearTimeout(found?.timer)
    return found
  }

  const endIfDone = () => {
    if (!isOpen && sent.size === 0) end()
  }

  const retire = () => {
    isOpen = false
    endIfDone()
  }

  const lose = (cause: unknown) => {
    isOpen = false
    for (const id of [...sent.keys()]) take(id)?.reject(cause)
    end()
  }

  /** The others may still be answered. */
  const giveUp = (id: string) => {
    take(id)?.reject(new Error(`No answer to an append within ${answerMillis} ms`))
    retire()
  }

  duplex.on("data", (answer: BatchAppendResp) => {
    take(answer.getCorrelationId()?.getString() ?? "")?.resolve(answer)
    endIfDone()
  })
  duplex.on("error", lose)
  duplex.on("end", () => lose(new Error("The server ended the call that carries appends")))

  return {
    isOpen: () => isOpen,
    append: (requestFor) =>
      new Promise((resolve, reject) => {
        if (!isOpen) return reject(new Error("The call that carries appends has ended"))
        const id = randomUUID()
        const request = requestFor(id)
        sent.set(id, { resolve, reject, timer: setTimeout(() => giveUp(id), answerMillis) })
        duplex.write(request)
      }),
    retire
  }
}

/** Appends by one call at a time, which costs the server and this process less than a call for each. */
export interface AppendCalls {
  /** The call that is open; undefined when none is. */
  readonly current: () => AppendCall | undefined
  /** Opens a call, unless one is open. */
  readonly open: () => Promise<AppendCall>
  /** Lets no call be opened any more. */
  readonly close: () => void
}

/** An answer may take `answerMillis`. `onOpened` is told of each call before it carries anything. */
export const makeAppendCalls = (createDuplex: () => Promise<Duplex>, answerMillis: number, onOpened: () => void): AppendCalls => {
  let opening: Promise<AppendCall> | undefined
  let latest: AppendCall | undefined
  let isClosed = false

  const current = () => (latest?.isOpen() === true ? latest : undefined)

  const openAnother = async (): Promise<AppendCall> => {
    try {
      const call = makeAppendCall(await createDuplex(), answerMillis)
      if (isClosed) call.retire()
      onOpened()
      latest = call
      return call
    } finally {
      opening = undefined
    }
  }

  return {
    current,
    open: async () => {
      const found = current()
      if (found !== undefined) return found
      if (isClosed) throw new Error("The connection was closed")
      opening ??= openAnother()
      return opening
    },
    close: () => {
      isClosed = true
    }
  }
}
