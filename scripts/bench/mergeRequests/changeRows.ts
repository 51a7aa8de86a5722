import { measureAlone, measureBoth, type Row } from "../figures.ts"
import { tokenOf, users } from "../installation/users.ts"
import type { Changer } from "../ours/changesOfMany.ts"
import { withRunners } from "../runners.ts"
import { rootToken, type Service } from "../service.ts"
import { changers, keyAt } from "./facts.ts"
import { oldKey } from "./stories.ts"

const pathOf = ({ iid, projectId }: ReturnType<typeof keyAt>): string => `/projects/${projectId}/merge_requests/${iid}`

/** Root changes the title of an open one. */
const changerOf = (path: string): string => {
  const changer: Changer = { token: rootToken, path, attribute: "title" }
  return JSON.stringify(changer)
}

/** Changes of as many as there are callers, and of one with a long history beside one without. */
export const changeRows = (service: Service): Promise<ReadonlyArray<Row>> =>
  withRunners(async (start) => {
    const places = Array.from({ length: changers }, (_, index) => changerOf(pathOf(keyAt(index))))
    const many = await start("ours/changesOfMany.ts", service.url, ...places)
    const figures = await measureAlone(many, { parallel: changers, millis: 3_000, rounds: 3 })
    const old = await start("ours/changesOfMany.ts", service.url, changerOf(pathOf(oldKey)))
    const fresh = await start("ours/changesOfMany.ts", service.url, changerOf(pathOf(keyAt(changers))))
    const rates = await measureBoth(old, fresh, { parallel: 1, millis: 1_000, rounds: 5 })
    const name = `changes of ${changers} merge requests by ${changers} callers`
    return [
      { name, unit: "/s", ours: figures("rate"), target: { rate: 1_000 } },
      { name: `${name}, p99`, unit: "ms", ours: figures("p99"), target: { max: 100 } },
      { name: "changes of one of 10,000 events, 1 writer (peer: a new one)", unit: "/s", ...rates, target: { ratio: 0.8 } }
    ]
  })

/** Callers who each ask for a merge request of their own. */
export const readers = Array.from({ length: 16 }, (_, index) => ({
  token: tokenOf(users.first + index),
  path: pathOf(keyAt(index + changers * 2))
}))
