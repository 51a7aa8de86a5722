import type { ChildProcess } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { figureOf, type Row } from "../figures.ts"
import { endProgram, nextMessage, startProgram } from "../programs.ts"
import { type Start, withRunners } from "../runners.ts"
import type { Score } from "../serveRounds.ts"
import { residentMemory, type Service, withService } from "../service.ts"
import type { Account, Attack, Target } from "./Attack.ts"
import { Family, type Member, type Memory, watchingMemory } from "./Family.ts"
import type { Innocent } from "./innocent.ts"
import { type AttackName, attacks } from "./list.ts"
import type { Stage } from "./stage.ts"

const attackMillis = 30_000
/** A service that has just started is slower. */
const warmUpMillis = 4_000
const undisturbedMillis = 6_000
/** After this time everything is to be as before. */
const recoveryMillis = 10_000

/** The bars: milliseconds, mebibytes. */
const bars = { user: 150, tree: 500, clone: 5_000, push: 10_000, archive: 5_000 } as const
const maxMemory = 2 * 1024
const maxGrowth = 100

type Figure = keyof typeof bars

const labels: Readonly<Record<Figure, string>> = {
  user: "GET /user, p99",
  tree: "tree of a directory, p99",
  clone: "clone of a small repository, longest",
  push: "push of a commit, longest",
  archive: "archive of a small repository, longest"
}

const gitUrl = ({ url }: Service, path: string, { password, token, username }: Account, showsPassword: boolean): string => {
  const { host } = new URL(url)
  return `http://${username}:${showsPassword ? password : token}@${host}/${path}.git`
}

const startInnocent = (start: Start, service: Service, { innocent: { account, project, scratch } }: Stage, attack: Attack) => {
  const innocent: Innocent = {
    url: service.url,
    token: account.token,
    remote: gitUrl(service, project.path, account, attack.showsPassword ?? false),
    projectId: project.id,
    scratch,
    wantsArchives: attack.wantsArchives ?? false
  }
  return start("attacks/innocent.ts", JSON.stringify(innocent))
}

/** An attacker that has prepared itself. */
export const startAttacker = async (service: Service, { target }: Stage, name: AttackName): Promise<ChildProcess> => {
  const whole: Target = { ...target, url: service.url }
  const attacker = startProgram("attacks/attacker.ts", [name, JSON.stringify(whole)])
  await nextMessage(attacker, name)
  return attacker
}

/** Attacks for half a minute; how often the attacker was answered with each status. */
const attackFor = async (attacker: ChildProcess, name: string): Promise<void> => {
  attacker.send("attack")
  await sleep(attackMillis)
  attacker.send("tell")
  const answers = await nextMessage<Readonly<Record<string, number>>>(attacker, name)
  const told = Object.entries(answers).map(([status, times]) => `${status === "0" ? "none" : status} ${times} times`)
  process.stderr.write(`  the attacker's answers: ${told.join(", ") || "none"}\n`)
  await endProgram(attacker)
}

const isReader = ({ command }: Member): boolean => command.includes(" cat-file --batch")
/** What is seen once may be about to end. */
const twiceMillis = 500

/** The processes that live now and half a second later and were not there before, but for those that wait for questions about objects. */
const processesLeft = async (family: Family, before: ReadonlyArray<Member>): Promise<ReadonlyArray<Member>> => {
  const first = await family.members()
  await sleep(twiceMillis)
  const earlier = new Set(first.map(({ key }) => key))
  const usual = new Set(before.map(({ key }) => key))
  return family.members().filter((each) => earlier.has(each.key) && !usual.has(each.key) && !isReader(each))
}

interface Seen {
  readonly before: Score
  readonly during: Score
  readonly after: Score
  readonly peak: Memory
  readonly growth: number
  readonly left: ReadonlyArray<Member>
}

const see = (stage: Stage, name: AttackName): Promise<Seen> =>
  withService({ DATABASE_URL: stage.databaseUrl, DATA_DIR: stage.dataDir }, (service) =>
    withRunners(async (start) => {
      const innocent = await startInnocent(start, service, stage, attacks[name])
      const undisturbed = () => innocent.run({ parallel: 1, millis: undisturbedMillis })
      const attacker = await startAttacker(service, stage, name)
      await innocent.run({ parallel: 1, millis: warmUpMillis })
      const before = await undisturbed()
      const memory = await residentMemory(service)
      const family = new Family(service.child.pid ?? 0, stage.dataDir)
      const usual = family.members()
      return watchingMemory(family, async (peakSoFar) => {
        const recovered = attackFor(attacker, name).then(() => sleep(recoveryMillis))
        const [during] = await Promise.all([innocent.run({ parallel: 1, millis: attackMillis }), recovered])
        const [peak, growth] = [peakSoFar(), (await residentMemory(service)) - memory]
        const left = await processesLeft(family, usual)
        for (const { command } of left) process.stderr.write(`  left: ${command}\n`)
        return { before, during, after: await undisturbed(), peak, growth, left }
      })
    })
  )

const plain = (value = Number.NaN) => figureOf([value])

/** The rows of one attack; the peer of times are the same times before it. */
export const attackRowsOf = async (stage: Stage, name: AttackName): Promise<ReadonlyArray<Row>> => {
  const { after, before, during, growth, left, peak } = await see(stage, name)
  const attack: Attack = attacks[name]
  const times = (score: Score, when: string): ReadonlyArray<Row> =>
    (["user", "tree", "clone", "push", ...(attack.wantsArchives ? (["archive"] as const) : [])] as const).map((figure) => ({
      name: `${name}${when}: ${labels[figure]} (peer: before)`,
      unit: "ms",
      ours: plain(score[figure]),
      peer: plain(before[figure]),
      ratio: (score[figure] ?? Number.NaN) / (before[figure] ?? Number.NaN),
      target: { max: bars[figure] }
    }))
  const failures = (score: Score, when: string): Row => ({
    name: `${name}${when}: answers other than asked for to the innocent`,
    unit: "answers",
    ours: plain(score.failures),
    target: { max: 0 }
  })
  const later = ", 10 s after"
  return [
    { name: `${name}: ${attack.title}`, unit: "s", ours: plain(attackMillis / 1000) },
    ...times(during, ""),
    failures(during, ""),
    {
      name: `${name}: memory of the service and its children, highest`,
      unit: "MiB",
      ours: plain(peak.own),
      target: { max: maxMemory }
    },
    { name: `${name}: the same with what they share counted for each`, unit: "MiB", ours: plain(peak.plain) },
    ...times(after, later),
    failures(after, later),
    {
      name: `${name}${later}: resident memory of the service beyond that before`,
      unit: "MiB",
      ours: plain(growth),
      target: { max: maxGrowth }
    },
    { name: `${name}${later}: processes left`, unit: "processes", ours: plain(left.length), target: { max: 0 } }
  ]
}
