import { slowness } from "./processes/cpuTime.ts"
import type { Received } from "./service.ts"

const threadMillis = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** What is answered, and the most milliseconds of processor time that the main thread works in a turn of the event loop meanwhile. */
const longestTurn = async (asked: () => Promise<Received>): Promise<readonly [Received, number]> => {
  let [most, last] = [0, threadMillis()]
  const turn = () => {
    const now = threadMillis()
    most = Math.max(most, now - last)
    last = now
    pending = setImmediate(turn)
  }
  let pending = setImmediate(turn)
  const received = await asked()
  clearImmediate(pending)
  return [received, most]
}

/** The least of several times: the service and the client of a test share the thread: the first time compiles, and collecting garbage is not for the code to slice. */
export const shortestOf = async (times: number, asked: () => Promise<Received>) => {
  const turns: Array<number> = []
  let received: Received | undefined
  for (let time = 0; time < times; time++) {
    const [answer, most] = await longestTurn(asked)
    received = answer
    turns.push(most)
  }
  return { received, most: Math.min(...turns) / slowness() }
}
