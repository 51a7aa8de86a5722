import { existsSync } from "node:fs"
import { mkdir, rename, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Clock, Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { uuidV7 } from "#src/kernel/uuid.ts"
import { nextId } from "#src/platform/Ids.ts"
import { removeStaleUploads, removeUploads } from "#src/uploads/files/removeUploads.ts"
import { UploadStorage } from "#src/uploads/files/UploadStorage.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { whileReacting } from "#test/support/reactions/whileReacting.ts"
import { until } from "#test/support/until.ts"
import { addUpload, secretOf } from "./addUpload.ts"
import { useUploads } from "./useUploads.ts"

const { ask, dataDir, drafts, newProject, path, secretsOf, service, uploaded } = useUploads()

const reacting = (work: () => Promise<void>) => service.run(whileReacting("uploads", removeUploads, Effect.promise(work)))

describe("files go", () => {
  it("when their uploads are removed, and no others", async () => {
    const id = await newProject("removed")
    const [first, second] = [await uploaded(id, "a.txt"), await uploaded(id, "b.txt")]
    await reacting(async () => {
      await ask("DELETE", path(id, `/${first.id}`))
      await until(async () => (await secretsOf(id)).length === 1)
    })
    expect(await secretsOf(id)).toEqual([second.url.split("/")[2]])
    expect(await ask("GET", path(id, `/${second.id}`))).toEqual([200, "content"])
  })

  it("with their project, and so do those that come when it is gone", async () => {
    const [id, other] = [await newProject("deleted"), await newProject("stays")]
    await uploaded(id, "a.txt")
    await uploaded(other, "a.txt")
    await reacting(async () => {
      await service.request("DELETE", `/projects/${id}`)
      await until(async () => (await secretsOf(id)).length === 0)
      await service.run(Effect.andThen(addUpload(id, secretOf(1), "late.txt"), settled))
      await until(async () => (await secretsOf(id)).length === 0)
    })
    expect([(await secretsOf(id)).length, (await secretsOf(other)).length]).toEqual([0, 1])
  })
})

describe("what a process that was killed leaves", () => {
  /** Long enough for the largest file at the slowest rate. */
  const later = 3 * 86_400_000
  const sweep = (after: number) =>
    service.run(
      Effect.provideService(removeStaleUploads, Clock.Clock, {
        ...Effect.runSync(Clock.Clock),
        currentTimeMillis: Effect.sync(() => Date.now() + after)
      })
    )
  /** Gives a file its place, and dies before or after the log is told. */
  const died = async (projectId: number, secret: string, isTold: boolean) => {
    const owner = { projectId, secret, id: await service.run(nextId("upload")) }
    const dying = Effect.gen(function* () {
      const draft = yield* (yield* UploadStorage).draft
      yield* Effect.promise(() => draft.append(Buffer.from("left")))
      yield* draft.keep(owner, "left.txt")
      if (isTold) yield* addUpload(projectId, secret, "left.txt")
      return yield* Effect.die("killed")
    })
    expect(Exit.isFailure(await service.run(Effect.exit(Effect.scoped(dying))))).toBe(true)
    return owner
  }

  it("is found by its mark, without a look at anything else: a file of which the log does not tell goes, in time", async () => {
    const id = await newProject("left")
    const made = await uploaded(id, "a.txt")
    const { id: uploadId } = await died(id, secretOf(7), false)
    expect(await drafts()).toEqual([
      expect.stringMatching(new RegExp(`^upload-[0-9a-f-]{36}\\.${id}\\.${uploadId}\\.${secretOf(7)}$`))
    ])
    await sweep(3_600_000)
    expect([(await drafts()).length, await secretsOf(id)]).toEqual([1, [secretOf(7), made.url.split("/")[2]].toSorted()])
    await sweep(later)
    expect([await drafts(), await secretsOf(id)]).toEqual([[], [made.url.split("/")[2]]])
  })

  it("stays where the log tells of it", async () => {
    const id = await newProject("kept")
    const [first = "", second = ""] = [secretOf(8), secretOf(9)]
    const owner = await died(id, first, false)
    // Its repeat took the same id, and another secret.
    const storage = await service.run(UploadStorage.use(Effect.succeed))
    expect(existsSync(storage.pathOf({ ...owner, name: "left.txt" }))).toBe(true)
    const uploadId = await service.run(addUpload(id, second, "a.txt"))
    const [mark = ""] = await drafts()
    await rename(
      join(await dataDir(), "tmp", mark),
      join(await dataDir(), "tmp", mark.replace(/\.\d+\.[0-9a-f]{32}$/, `.${uploadId}.${second}`))
    )
    await sweep(later)
    expect([await drafts(), await secretsOf(id)]).toEqual([[], [first, second]])
  })

  it("goes where another attempt of the same request has the upload", async () => {
    const id = await newProject("repeated")
    const uploadId = await service.run(addUpload(id, secretOf(11), "a.txt"))
    const mark = `upload-${uuidV7()}.${id}.${uploadId}.${secretOf(10)}`
    const [tmp, left] = [join(await dataDir(), "tmp", mark), join(await dataDir(), "uploads", String(id), secretOf(10))]
    await mkdir(tmp)
    await mkdir(left)
    await writeFile(join(left, "a.txt"), "first")
    await sweep(later)
    expect([await drafts(), await secretsOf(id)]).toEqual([[], [secretOf(11)]])
  })

  it("a draft that was never whole goes, and nothing else in the folder", async () => {
    const tmp = join(await dataDir(), "tmp")
    await mkdir(join(tmp, `upload-${uuidV7()}`))
    await mkdir(join(tmp, "upload-"), { recursive: true })
    await writeFile(join(tmp, "pack"), "")
    await sweep(later)
    expect([await drafts(), (await stat(join(tmp, "pack"))).isFile()]).toEqual([[], true])
  })
})
