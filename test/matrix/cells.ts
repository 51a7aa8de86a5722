import { Effect } from "effect"
import { expect } from "vitest"
import { type Asker, type Exception, exceptions } from "./askers.ts"
import { type Answer, type Grid, refusals, type Where } from "./grid.ts"

/** The status of a success, or how it was refused. */
export type Told = Answer | number

/** One caller in one place. */
export interface Cell {
  readonly place: Where
  readonly asker: Asker
}

const isException = (asker: Asker): asker is Exception => exceptions.some((each) => each === asker)

interface Expected {
  readonly may: Grid
  readonly success: number
  readonly ofExceptions: Readonly<Record<Exception, Told>>
}

const told = ({ may, ofExceptions, success }: Expected, { asker, place }: Cell): Told | undefined => {
  if (isException(asker)) return ofExceptions[asker]
  const verdict = may.get(place)?.get(asker)
  return verdict === undefined || verdict === "ok" ? verdict && success : refusals[verdict]
}

/** Everybody in all places of the table; the exceptions in a public one, if there are such. */
const cellsOf = ({ may }: Expected): ReadonlyArray<Cell> => {
  const ofExceptions = may.has("public") ? "public" : "anywhere"
  return [
    ...[...may].flatMap(([place, told]) => [...told.keys()].map((asker) => ({ place, asker }))),
    ...exceptions.map((asker): Cell => ({ place: ofExceptions, asker }))
  ]
}

/** Sends a request for each cell, some at a time, and compares all answers at once. */
export const check = async (expected: Expected, send: (cell: Cell) => Promise<Told>): Promise<void> => {
  const cells = cellsOf(expected)
  const named = ({ asker, place }: Cell) => `${place}, ${asker}`
  const answered = Effect.forEach(cells, (cell) => Effect.promise(async () => [named(cell), await send(cell)] as const), {
    concurrency: 12
  })
  const answers = Object.fromEntries(await Effect.runPromise(answered))
  expect(answers).toEqual(Object.fromEntries(cells.map((cell) => [named(cell), told(expected, cell)])))
}
