import { figureOf, type Row } from "../figures.ts"
import { ask, withService } from "../service.ts"

/** Milliseconds from the start of the process to the first answer, embedded Postgres included. */
const firstAnswer = async (dataDir: string): Promise<number> => {
  const start = performance.now()
  return withService({ DATA_DIR: dataDir, NODE_COMPILE_CACHE: `${dataDir}.compiled` }, async (service) => {
    await ask(service, "GET", "/user")
    return performance.now() - start
  })
}

/** Starts with an empty data folder and nothing compiled, as after `npm ci`, and again with what the first start made. */
export const startRows = async (folder: string): Promise<ReadonlyArray<Row>> => {
  const [first, later]: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < 3; round++) {
    const dataDir = `${folder}/start${round}`
    first.push(await firstAnswer(dataDir))
    later.push(await firstAnswer(dataDir))
  }
  return [
    { name: "first start to first answer", unit: "ms", ours: figureOf(first) },
    { name: "later start to first answer", unit: "ms", ours: figureOf(later) }
  ]
}
