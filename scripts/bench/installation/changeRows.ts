import { measureAlone, type Row } from "../figures.ts"
import type { Changer } from "../ours/changesOfMany.ts"
import { newToken } from "../rows/http.ts"
import { newThing, type Thing, things } from "../rows/writes.ts"
import { withRunners } from "../runners.ts"
import type { Service } from "../service.ts"

const callers = 32

/** An administrator with a thing that nobody else changes. */
const newChanger = async (service: Service, thing: Thing, index: number): Promise<Changer> => {
  const name = `changer-of-${thing.kind}-${index}`
  const id = await newThing(service, thing, `changed-${thing.kind}-${index}`)
  const token = await newToken(service, name, { admin: true })
  return { token, path: `${thing.path}/${id}`, attribute: thing.attribute }
}

const changeRow = async (service: Service, kinds: ReadonlyArray<Thing>): Promise<Row> => {
  const changers: Array<Changer> = []
  for (let index = 0; index < callers; index++) {
    const thing = kinds[index % kinds.length]
    if (thing !== undefined) changers.push(await newChanger(service, thing, kinds.length * 100 + index))
  }
  return withRunners(async (start) => {
    const runner = await start("ours/changesOfMany.ts", service.url, ...changers.map((changer) => JSON.stringify(changer)))
    const figures = await measureAlone(runner, { parallel: callers, millis: 4_000, rounds: 7 })
    const said = kinds.map(({ kind }) => `${kind}s`).join(", ")
    return {
      name: `changes of ${callers} ${said} by ${callers} callers`,
      unit: "/s",
      ours: figures("rate"),
      target: { rate: 1_500 }
    }
  })
}

/** Changes of different things in an installation of that size, by callers of their own. */
export const changeRows = async (service: Service): Promise<ReadonlyArray<Row>> => [
  await changeRow(
    service,
    things.filter(({ kind }) => kind === "cluster")
  ),
  await changeRow(service, things)
]
