import { execFile } from "node:child_process"
import { cp, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { defined } from "#src/kernel/defined.ts"
import type { Databases } from "../database.ts"
import { type Figure, figureOf, measureAlone, measureBoth, type Rounds, type Row, type Target } from "../figures.ts"
import { type GitSamples, gitSamples } from "../gitSamples.ts"
import { type HostedRepository, hostRepository, sourceRepository } from "../hostedRepository.ts"
import { git } from "../plainGit.ts"
import { endProgram, nextMessage, startProgram } from "../programs.ts"
import { type Runner, withRunners } from "../runners.ts"
import { ask, peakMemory, type Service, withService } from "../service.ts"

type Command = ReadonlyArray<string>

/** Requests to the service beside what plain git does for the same answers. */
interface Pairing {
  readonly urls: ReadonlyArray<string>
  /** The commands of each step, which run one after the other. */
  readonly steps: ReadonlyArray<ReadonlyArray<Command>>
}

const short: Rounds = { parallel: 1, millis: 1_000, rounds: 7 }
const one: Rounds = { parallel: 1, millis: 0, rounds: 3 }
const texts = (steps: Pairing["steps"]) => steps.map((commands) => JSON.stringify(commands))

/** Measures the times in milliseconds (`p50`), or the steps a second (`rate`). */
const pairing = ({ steps, urls }: Pairing, rounds: Rounds & { readonly of: string }) =>
  withRunners(async (start) =>
    measureBoth(await start("ours/requests.ts", ...urls), await start("plain/commands.ts", ...texts(steps)), rounds)
  )

const scaled = ({ max, median, min }: Figure, factor: number): Figure => ({
  median: median * factor,
  min: min * factor,
  max: max * factor
})

/** Rates of something that is so many MiB large. */
const throughput = ({ ours, peer, ratio }: Awaited<ReturnType<typeof measureBoth>>, mebibytes: number) => ({
  unit: "MiB/s" as const,
  ours: scaled(ours, mebibytes),
  peer: scaled(peer, mebibytes),
  ...defined({ ratio })
})

const diffFlags = [
  "--raw",
  "-z",
  "--no-abbrev",
  "--patch",
  "--full-index",
  "--find-renames=30%",
  "--no-ext-diff",
  "--no-textconv"
]
const logFlags = ["-z", "--reverse", "--format=%H%x00%P%x00%an%x00%ae%x00%at%x00%cn%x00%ce%x00%ct%x00%B"]

const shortAnswers = async (
  { api, folder, tip }: HostedRepository,
  { blobs, directories, pairs, ranges }: GitSamples
): Promise<ReadonlyArray<Row>> => {
  const plain = (...args: Command): Command => ["git", "-C", folder, ...args]
  const row = async (name: string, target: Target, asked: Pairing): Promise<Row> => {
    return { name, unit: "ms", ...(await pairing(asked, { ...short, of: "p50" })), target }
  }
  return [
    await row(
      "tree of a directory, p50 (peer: git ls-tree)",
      { maxRatio: 1, max: 2 },
      {
        urls: directories.map((path) => `${api}/tree?ref=${tip}&per_page=100&path=${encodeURIComponent(path)}`),
        steps: directories.map((path) => [plain("ls-tree", tip, "--", `${path}/`)])
      }
    ),
    await row(
      "blob, p50 (peer: git cat-file)",
      { maxRatio: 1, max: 2 },
      { urls: blobs.map((id) => `${api}/blobs/${id}`), steps: blobs.map((id) => [plain("cat-file", "blob", id)]) }
    ),
    await row(
      "merge base, p50 (peer: git merge-base)",
      { maxRatio: 1.5 },
      {
        urls: pairs.map(([a, b]) => `${api}/merge_base?refs[]=${a}&refs[]=${b}`),
        steps: pairs.map(([a, b]) => [plain("merge-base", a, b)])
      }
    ),
    await row(
      "compare of 100 commits, p50 (peer: git diff, git log)",
      { maxRatio: 1.5 },
      {
        urls: ranges.map(([from, to]) => `${api}/compare?from=${from}&to=${to}`),
        steps: ranges.map(([from, to]) => [
          plain("diff", ...diffFlags, `${from}...${to}`),
          plain("log", ...logFlags, `${from}..${to}`)
        ])
      }
    )
  ]
}

/** The size is that of the tar. */
const archive = async ({ api, folder, tip }: HostedRepository): Promise<Row> => {
  const tar = 'git -C "$0" archive --format=tar --prefix=history/ "$1"'
  const { stdout } = await promisify(execFile)("sh", ["-c", `${tar} | wc -c`, folder, tip])
  const rates = await pairing(
    { urls: [`${api}/archive.tar.gz?sha=${tip}`], steps: [[["sh", "-c", `${tar} | gzip`, folder, tip]]] },
    { parallel: 1, millis: 4_000, rounds: 3, of: "rate" }
  )
  return {
    name: "archive tar.gz (peer: git archive, gzip)",
    ...throughput(rates, Number(stdout) / 1024 ** 2),
    target: { ratio: 0.8 }
  }
}

/** Serves the repositories of a folder with `git http-backend` for as long as `use` takes, which is given the URL. */
const withBackend = async <A>(folder: string, use: (url: string) => Promise<A>): Promise<A> => {
  const backend = startProgram("plain/httpBackend.ts", [folder])
  try {
    return await use(`http://127.0.0.1:${await nextMessage<number>(backend, "plain/httpBackend.ts")}/`)
  } finally {
    await endProgram(backend)
  }
}

/** Clones without checking out, from the service and from `git http-backend` on a folder. */
const cloning = (remote: string, folder: string, scratch: string) => {
  const target = join(scratch, "clone.git")
  const before = () => rm(target, { recursive: true, force: true })
  return withBackend(folder, (plain) =>
    withRunners(async (start) => {
      const cloner = (url: string) => start("plain/commands.ts", ...texts([[["git", "clone", "--quiet", "--bare", url, target]]]))
      return measureBoth(await cloner(remote), await cloner(plain), { ...one, before })
    })
  )
}

const fetchesAtOnce = 20

/** The packs of many clones at the same time, beside that of one alone; each round asks for what nobody has asked for before. */
const manyFetches = ({ folder, remote, tip }: HostedRepository): Promise<ReadonlyArray<Row>> => {
  const row = (name: string, url: string, target: Pick<Row, "target">) =>
    withRunners(async (start): Promise<Row> => {
      const alone = await start("plain/packs.ts", url, tip)
      const many = await start("plain/packs.ts", url, tip)
      const together: Runner = { run: () => many.run({ parallel: fetchesAtOnce, millis: 0 }) }
      return { name, unit: "ms", ...(await measureBoth(together, alone, { ...one, of: "last" })), ...target }
    })
  return withBackend(folder, async (plain) => [
    await row(`${fetchesAtOnce} packs of a clone at once, the last (peer: one alone)`, remote, { target: { maxRatio: 3 } }),
    await row("the same by git http-backend (peer: one alone)", plain, {})
  ])
}

/** The size is that of the packs. The second peer is what an operator gets who packs everything by hand. */
const clones = async ({ folder, remote }: HostedRepository, scratch: string): Promise<ReadonlyArray<Row>> => {
  const [, packed = "0"] = /^size-pack: (\d+)$/m.exec(await git(folder, "count-objects", "-v")) ?? []
  const mebibytes = Number(packed) / 1024
  const repacked = join(scratch, "repacked.git")
  await cp(folder, repacked, { recursive: true })
  await git(repacked, "repack", "-a", "-d", "--write-bitmap-index", "--quiet")
  const same = await cloning(remote, folder, scratch)
  const best = await cloning(remote, repacked, scratch)
  return [
    { name: "clone (peer: git http-backend)", ...throughput(same, mebibytes), target: { ratio: 0.8 } },
    { name: "clone (peer: git http-backend, everything packed with bitmaps)", ...throughput(best, mebibytes) }
  ]
}

/** What the service keeps of counts that it has made; without it the next answer is a first one. */
const forgetContributors = async (folder: string): Promise<void> => {
  const kept = (await readdir(folder)).filter((name) => name.startsWith("contributors"))
  for (const name of kept) await rm(join(folder, name), { recursive: true })
}

const contributors = async ({ api, folder, push, tip }: HostedRepository): Promise<ReadonlyArray<Row>> => {
  const url = `${api}/contributors?ref=main&per_page=100`
  const commits = Number(await git(folder, "rev-list", "--count", tip)).toLocaleString("en")
  const shortlog = ["git", "-C", folder, "shortlog", "-sne", "--no-merges", tip]
  const lines = ["git", "-C", folder, "log", "--no-merges", "--numstat", "--no-renames", "--format=%an <%ae>", tip]
  const name = `contributors of ${commits} commits, first answer`
  const target = { maxRatio: 1.5 }
  const counted = await pairing({ urls: [url], steps: [[shortlog]] }, { ...one, of: "p50" })
  const before = () => forgetContributors(folder)
  const uncounted = await pairing({ urls: [url], steps: [[lines]] }, { ...one, before, of: "p50" })
  const firsts: ReadonlyArray<Row> = [
    { name: `${name}, counted after the push (peer: git shortlog)`, unit: "ms", ...counted, target },
    { name: `${name}, not counted yet (peer: git log --numstat)`, unit: "ms", ...uncounted, target }
  ]
  return withRunners(async (start) => {
    const asker = await start("ours/requests.ts", url)
    const later = await measureAlone(asker, short)
    const pushed = await measureAlone(asker, { ...one, rounds: 7, before: () => push(10) })
    const soon = { max: 50 }
    return [
      ...firsts,
      { name: "contributors, later answers, p50", unit: "ms", ours: later("p50"), target: soon },
      { name: "contributors, first answer after a push of 10 commits", unit: "ms", ours: pushed("p50"), target: soon }
    ]
  })
}

const cluster = {
  name: "staging",
  platform_kubernetes_attributes: { api_url: "https://cluster.example.org", token: "token-of-the-benchmark" }
}
const archivesAtOnce = 50
const offeredPerSecond = 100

/** Short requests while archives are asked for, and again as soon as one has come. */
const besideArchives = async (service: Service, { api }: HostedRepository, { commits }: GitSamples): Promise<Row> => {
  await ask(service, "POST", "/admin/clusters/add", cluster)
  return withRunners(async (start) => {
    const archives = await start("ours/requests.ts", ...commits.map((id) => `${api}/archive.tar.gz?sha=${id}`))
    const asker = await start("ours/offeredRequests.ts", `${service.url}/admin/clusters/1`)
    const figures = measureAlone(asker, { parallel: offeredPerSecond, millis: 4_000, rounds: 3 })
    // This is longer than the rounds take, so that only a failure ends it before them.
    const archived = archives.run({ parallel: archivesAtOnce, millis: 3_600_000 })
    const found = await Promise.race([figures, archived.then(() => figures)])
    return {
      name: `GET /admin/clusters/1, ${offeredPerSecond}/s beside ${archivesAtOnce} archives, p99`,
      unit: "ms",
      ours: found("p99"),
      target: { max: 100 }
    }
  })
}

/** A hosted repository over HTTP, against plain git on the very folder in which the service keeps it. */
export const gitRows = async (databases: Databases, folder: string): Promise<ReadonlyArray<Row>> => {
  const dataDir = join(folder, "git")
  const source = await sourceRepository(folder)
  return withService({ DATABASE_URL: await databases.empty("git_ours"), DATA_DIR: dataDir }, async (service) => {
    const hosted = await hostRepository(service, { dataDir, folder, source })
    const samples = await gitSamples(hosted.folder, hosted.tip)
    const rows = [
      ...(await shortAnswers(hosted, samples)),
      await archive(hosted),
      ...(await clones(hosted, folder)),
      ...(await contributors(hosted)),
      await besideArchives(service, hosted, samples)
    ]
    const peak = figureOf([await peakMemory(service)])
    const memory: Row = { name: "resident memory at its peak, all the while", unit: "MiB", ours: peak, target: { max: 300 } }
    return [...rows, memory, ...(await manyFetches(hosted))]
  })
}
