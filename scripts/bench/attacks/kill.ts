import { setTimeout as sleep } from "node:timers/promises"
import { figureOf, type Row } from "../figures.ts"
import { endProgram } from "../programs.ts"
import { ask, type Service, withService } from "../service.ts"
import { endProcess, Family, type Member, watchingMemory } from "./Family.ts"
import type { AttackName } from "./list.ts"
import { startAttacker } from "./measure.ts"
import type { Stage } from "./stage.ts"

const attackedBy: ReadonlyArray<AttackName> = ["compares", "distantCompares"]
const attackMillis = 5_000
const leftMillis = 10_000

/** Kills the service while it compares and counts contributors of a tree without end; what processes it had then. */
const killAmidWork = async (service: Service, stage: Stage) => {
  const attackers = await Promise.all(attackedBy.map((name) => startAttacker(service, stage, name)))
  for (const attacker of attackers) attacker.send("attack")
  // A count says nothing before its end, so no broken pipe ends it.
  const count = fetch(`${service.url}/projects/${stage.target.bomb.id}/repository/contributors`).catch(() => {})
  await sleep(attackMillis)
  const family = new Family(service.child.pid ?? 0, stage.dataDir)
  const running = family.members().filter(({ pid }) => pid !== service.child.pid)
  service.child.kill("SIGKILL")
  await Promise.all([count, ...attackers.map(endProgram)])
  return { family, running }
}

/** How many processes of a service that was killed are there ten seconds later, and ten seconds after the next start. */
export const killRows = async (stage: Stage): Promise<ReadonlyArray<Row>> => {
  const settings = { DATABASE_URL: stage.databaseUrl, DATA_DIR: stage.dataDir }
  const { family, running } = await withService(settings, (service) => killAmidWork(service, stage))
  const left = async () => {
    await sleep(leftMillis)
    const keys = new Set(running.map(({ key }) => key))
    return family.members().filter(({ key }) => keys.has(key))
  }
  const { afterKill, afterStart } = await watchingMemory(family, async () => {
    const afterKill = await left()
    const afterStart = await withService(settings, async (service) => {
      await ask(service, "GET", "/user")
      const members = await left()
      for (const { pid } of members) endProcess(pid)
      return members
    })
    return { afterKill, afterStart }
  })
  const row = (when: string, members: ReadonlyArray<Member>, target: Pick<Row, "target"> = {}): Row => ({
    name: `kill: processes of the service ${when}`,
    unit: "processes",
    ours: figureOf([members.length]),
    ...target
  })
  return [
    row("as it is killed amid compares", running),
    row("10 s later", afterKill, { target: { max: 0 } }),
    row("10 s after the next start", afterStart, { target: { max: 0 } })
  ]
}
