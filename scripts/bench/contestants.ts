import type { ChildProcess } from "node:child_process"
import type { Round, Score } from "./answerRounds.ts"
import { endProgram, nextMessage, startProgram } from "./programs.ts"

/** A program that plays rounds in a process of its own. */
export interface Contestant {
  readonly play: (round: Round) => Promise<Score>
}

/** Starts the program `file` of this folder and waits until it has made its preparations. */
export type Start = (file: string, ...args: ReadonlyArray<string>) => Promise<Contestant>

interface Reply {
  readonly score?: Score
  readonly error?: string
}

/** Runs contestants for as long as `use` takes, and ends them however it goes. */
export const withContestants = async <A>(use: (start: Start) => Promise<A>): Promise<A> => {
  const children: Array<ChildProcess> = []
  const start: Start = async (file, ...args) => {
    const child = startProgram(file, args)
    children.push(child)
    await nextMessage(child, file)
    return {
      play: async (round) => {
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
