import { killRows } from "../attacks/kill.ts"
import { attacks, isAttack, needsOf } from "../attacks/list.ts"
import { attackRowsOf } from "../attacks/measure.ts"
import { makeStage } from "../attacks/stage.ts"
import type { Databases } from "../database.ts"
import type { Row } from "../figures.ts"

const kill = "kill"
const names: ReadonlyArray<string> = [kill, ...Object.keys(attacks)]

/** The attacks of `BENCH_ATTACKS`, names with commas between them; by default all. */
const chosenAttacks = (): ReadonlyArray<string> => {
  const chosen = process.env.BENCH_ATTACKS?.split(",") ?? names
  const unknown = chosen.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`BENCH_ATTACKS: there is no ${unknown.join(", ")}; there are ${names.join(", ")}`)
  return names.filter((name) => chosen.includes(name))
}

/** What one caller takes from another: an innocent one asks, clones and pushes while the service is attacked. */
export const attackRows = async (databases: Databases, folder: string): Promise<ReadonlyArray<Row>> => {
  const chosen = chosenAttacks()
  const stage = await makeStage(databases, folder, needsOf(chosen))
  const rows: Array<Row> = []
  for (const name of chosen) {
    process.stderr.write(`attacking: ${name} ...\n`)
    rows.push(...(isAttack(name) ? await attackRowsOf(stage, name) : await killRows(stage)))
  }
  return rows
}
