import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { ask, freshDatabase } from "#test/support/database.ts"
import { gitClient } from "#test/support/git/gitClient.ts"
import { type ServeProcess, serveProcess } from "#test/support/processes/serveProcess.ts"
import { rootToken } from "#test/support/service.ts"

const pushers = 4

let folder = ""
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chronoforge-push-crash-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const urlOf = ({ url }: ServeProcess) => `http://root:${rootToken}@${new URL(url).host}/root/demo.git`

const start = (databaseUrl: string) => serveProcess({ DATABASE_URL: databaseUrl, DATA_DIR: join(folder, "data") })

/** Pushes commits to a branch of its own, one after the other, until the service is gone; answers those that were acknowledged. */
const pushing = async (service: ServeProcess, index: number, onPush: () => Promise<void>): Promise<string | undefined> => {
  const name = `work-${index}`
  const place = join(folder, name)
  await gitClient(folder, ["init", "-q", "-b", name, name])
  let acknowledged: string | undefined
  for (let count = 0; ; count++) {
    await writeFile(join(place, "file.txt"), `${count}\n`)
    await gitClient(place, ["add", "."])
    await gitClient(place, ["commit", "-q", "-m", `${count}`])
    const { status } = await gitClient(place, ["push", "-q", urlOf(service), name])
    if (status !== 0) return acknowledged
    acknowledged = (await gitClient(place, ["rev-parse", "HEAD"])).stdout.trim()
    await onPush()
  }
}

it("a service that is killed in the middle of pushes agrees with its log after the restart, and lost nothing", () =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const databaseUrl = yield* freshDatabase()
        yield* Effect.promise(async () => {
          const first = await start(databaseUrl)
          expect((await first.request("POST", "/projects", { json: { name: "demo" } })).status).toBe(201)
          let pushed = 0
          const onPush = async () => {
            pushed += 1
            if (pushed === 12) await first.end("SIGKILL")
          }
          const acknowledged = await Promise.all(Array.from({ length: pushers }, (_, index) => pushing(first, index, onPush)))

          const second = await start(databaseUrl)
          const repository = join(folder, "data/repositories/01/1.git")
          const real = async () =>
            (await gitClient(folder, [`--git-dir=${repository}`, "for-each-ref", "--format=%(refname) %(objectname)"])).stdout
          const recorded = async () => {
            const rows = await Effect.runPromise(ask(databaseUrl, "select ref, id from rm_pushes.refs order by ref"))
            return rows.map(([ref, id]) => `${ref} ${id}\n`).join("")
          }
          await expect.poll(recorded).toBe(await real())
          const refs = await real()
          for (const [index, id] of acknowledged.entries()) {
            if (id === undefined) continue
            const at = new RegExp(`refs/heads/work-${index} (\\w+)`).exec(refs)?.[1] ?? ""
            // A push that nobody was told of may have come after it.
            const kept = await gitClient(folder, [`--git-dir=${repository}`, "merge-base", "--is-ancestor", id, at])
            expect(kept.status).toBe(0)
          }
          expect((await gitClient(folder, [`--git-dir=${repository}`, "fsck", "--strict"])).status).toBe(0)
          expect((await gitClient(join(folder, "work-0"), ["push", "-q", urlOf(second), "work-0:again"])).status).toBe(0)
          expect(await second.end("SIGTERM")).toBe(0)
        })
      })
    )
  ))
