import type { ChildProcess } from "node:child_process"
import { endProgram, nextMessage, startProgram } from "./programs.ts"
import type { Round, Score } from "./serveRounds.ts"

/** A program that plays rounds in a process of its own. */
export interface Runner {
  readonly run: (round: Round) => Promise<Score>
}

/** Starts the program `file` of this folder and waits until it has made its preparations. */
export type Start = (file: string, ...args: ReadonlyArray<string>) => Promise<Runner>

interface Reply {
  readonly score?: Score
  readonly error?: string
}

/** Runs programs for as long as `use` takes, and ends them however it goes. */
export const withRunners = async <A>(use: (start: Start) => Promise<A>): Promise<A> => {
  const children: Array<ChildProcess> = []
  const start: Start = async (file, ...args) => {
    const child = startProgram(file, args)
    children.push(child)
    await nextMessage(child, file)
    return {
      run: async (round) => {
        child.send(round)
        const { error, score } = await nextMessage<Reply>(child, file)
        if (score === undefined) throw new Error(`${file}: ${error}`)
        return score
      }
    }
  }
  try {
    return await use(start)
  } finally {
    await Promise.all(children.map(endProgram))
  }
}
