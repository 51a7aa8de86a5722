import { execFileSync } from "node:child_process"
import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit, Fiber, Layer, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { Objects } from "#src/git/objects/Objects.ts"
import { GitFailed } from "#src/git/Repository.ts"
import { makeProcesses, Processes } from "#src/platform/processes/Processes.ts"
import { defaultProcessLimits } from "#src/platform/processes/ProcessLimits.ts"
import { CurrentWork, type Work } from "#src/platform/work/CurrentWork.ts"
import { emptyRepository } from "#test/support/git/gitFixtures.ts"
import { bigFile } from "#test/support/git/gitStandard.ts"
import { until } from "#test/support/until.ts"
import { useStandardRepository, withObjects } from "../useRepository.ts"

const standard = useStandardRepository()

/** Ids of the processes that read a repository. */
const readers = (path: string): ReadonlyArray<number> =>
  execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(`--git-dir=${path} cat-file`))
    .map((line) => Number.parseInt(line, 10))

describe("reading", () => {
  it("answers every object as git has it", () =>
    withObjects(
      Effect.gen(function* () {
        const { git, gitBytes, repository } = standard()
        const objects = yield* Objects
        const all = git(["cat-file", "--batch-all-objects", "--batch-check"]).split("\n")
        expect(all.length).toBeGreaterThan(100)
        const answers = yield* Effect.forEach(all, (line) => objects.read(repository, line.slice(0, 40)), {
          concurrency: "unbounded"
        })
        expect(answers.map((it) => `${it?.id} ${it?.type} ${it?.size}`)).toEqual(all)
        for (const [index, answer] of answers.entries()) {
          if (index % 10 === 0 && answer) {
            expect(answer.content.equals(gitBytes(["cat-file", answer.type, answer.id]))).toBe(true)
          }
        }
      })
    ))

  it("answers 200 questions at once in one process", () =>
    withObjects(
      Effect.gen(function* () {
        const { ids, repository } = standard()
        const objects = yield* Objects
        const known = Object.values(ids)
        const asked = Array.from({ length: 200 }, (_, index) => known[index % known.length] ?? "")
        const answers = yield* Effect.forEach(asked, (id) => objects.read(repository, id), { concurrency: "unbounded" })
        expect(answers.map((answer) => answer?.id)).toEqual(asked)
        expect(readers(repository.path).length).toBe(1)
      })
    ))

  it("answers undefined for what is not there, and is in step afterwards", () =>
    withObjects(
      Effect.gen(function* () {
        const { ids, repository } = standard()
        const objects = yield* Objects
        const odd = [
          "nope",
          "0".repeat(40),
          "",
          "a b c",
          "x\nflush",
          "HEAD\ncontents HEAD",
          "\0",
          "-h",
          "é",
          "x".repeat(5000),
          "HEAD missing"
        ]
        for (const revision of odd) expect(yield* objects.info(repository, revision)).toBe(undefined)
        expect((yield* objects.info(repository, "HEAD"))?.id).toBe(ids.head)
      })
    ))

  it("sees objects and refs that were made after it started, and those that were packed meanwhile", () =>
    withObjects(
      Effect.gen(function* () {
        const { git, ids, object, repository } = standard()
        const objects = yield* Objects
        expect(yield* objects.info(repository, "refs/heads/later")).toBe(undefined)
        const id = object("blob", "made later\n")
        expect(yield* objects.info(repository, id)).toEqual({ id, type: "blob", size: 11 })
        expect((yield* objects.info(repository, id.slice(0, 12)))?.id).toBe(id)
        git(["update-ref", "refs/heads/later", ids.first])
        expect((yield* objects.info(repository, "refs/heads/later"))?.id).toBe(ids.first)
        git(["gc", "--quiet", "--prune=never"])
        git(["update-ref", "refs/heads/later", ids.second])
        expect((yield* objects.info(repository, "refs/heads/later"))?.id).toBe(ids.second)
        expect((yield* objects.read(repository, ids.third))?.type).toBe("commit")
        git(["update-ref", "-d", "refs/heads/later"])
        expect(yield* objects.info(repository, "refs/heads/later")).toBe(undefined)
      })
    ))

  it("takes far less than starting a process", () =>
    withObjects(
      Effect.gen(function* () {
        const { ids, repository } = standard()
        const objects = yield* Objects
        const times: Array<number> = []
        for (let round = 0; round < 500; round++) {
          const start = performance.now()
          yield* objects.read(repository, ids.first)
          times.push(performance.now() - start)
        }
        // The best of many: others use this machine too.
        expect(Math.min(...times)).toBeLessThan(1)
      })
    ))

  it("refuses what is larger than the limit, and streams it", () =>
    withObjects(
      Effect.gen(function* () {
        const { git, ids, repository } = standard()
        const objects = yield* Objects
        const id = git(["rev-parse", `${ids.fourth}:data/big.bin`])
        const failure = yield* Effect.flip(objects.read(repository, id, 1024 * 1024))
        expect([failure._tag, failure.exceeded]).toEqual(["GitFailed", "output"])
        expect((yield* objects.read(repository, id))?.content.equals(bigFile)).toBe(true)
        const chunks = yield* Stream.runCollect(objects.stream(repository, id))
        expect(Buffer.concat(chunks).equals(bigFile)).toBe(true)
        expect(Exit.isFailure(yield* Effect.exit(Stream.runDrain(objects.stream(repository, ids.first))))).toBe(true)
        expect(Exit.isFailure(yield* Effect.exit(Stream.runDrain(objects.stream(repository, "--help"))))).toBe(true)
      })
    ))
})

describe("processes", () => {
  it("end with the scope", async () => {
    const { repository } = standard()
    await withObjects(Effect.flatMap(Objects, (objects) => objects.info(repository, "HEAD")))
    await until(() => readers(repository.path).length === 0)
  })

  it("are replaced when they die, and what was asked is asked again", () =>
    withObjects(
      Effect.gen(function* () {
        const { ids, repository } = standard()
        const objects = yield* Objects
        for (let round = 0; round < 5; round++) {
          const reading = yield* Effect.forkChild(
            Effect.forEach(Array.from({ length: 300 }), () => objects.read(repository, ids.second), { concurrency: "unbounded" })
          )
          yield* Effect.promise(() => until(() => readers(repository.path).length > 0))
          yield* Effect.sleep(round)
          const [reader = 0] = readers(repository.path)
          process.kill(reader, "SIGKILL")
          const answers = yield* Fiber.join(reading)
          expect(answers.every((answer) => answer?.id === ids.second)).toBe(true)
          // Not over before its death was noticed: the next round kills another one.
          yield* objects.info(repository, "HEAD")
          expect(readers(repository.path)).not.toContain(reader)
        }
      })
    ))

  it("fail only what they die over", () =>
    withObjects(
      Effect.gen(function* () {
        const { ids, object, repository } = standard()
        const bad = object("blob", "will be damaged\n".repeat(1000))
        const file = join(repository.path, "objects", bad.slice(0, 2), bad.slice(2))
        const bytes = readFileSync(file)
        chmodSync(file, 0o644)
        // Its checksum, which is found only after its size was told.
        writeFileSync(file, Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 255])]))
        const objects = yield* Objects
        const asked = [ids.first, ids.second, bad, ids.third, bad, ids.fourth]
        const exits = yield* Effect.forEach(asked, (id) => Effect.exit(objects.read(repository, id)), {
          concurrency: "unbounded"
        })
        const found = exits.map((exit) => (Exit.isSuccess(exit) ? (exit.value?.id ?? "none") : "failed"))
        expect(found).toEqual([ids.first, ids.second, "failed", ids.third, "failed", ids.fourth])
      })
    ))

  it("fail where there is no repository", () =>
    withObjects(
      Effect.gen(function* () {
        const objects = yield* Objects
        const asking = Effect.forEach(Array.from({ length: 50 }), () => objects.info({ path: "/nonexistent" }, "HEAD"), {
          concurrency: "unbounded"
        })
        expect(yield* Effect.flip(asking)).toBeInstanceOf(GitFailed)
      })
    ))

  it("try it twice where there is no repository, and then no more", async () => {
    let started = 0
    const processes = makeProcesses(defaultProcessLimits)
    const counting: Processes = {
      ...processes,
      start: (...call) => {
        started++
        return processes.start(...call)
      }
    }
    const objects = Layer.provide(Objects.layer, Layer.succeed(Processes)(counting))
    const asking = Objects.use(({ info }) => info({ path: "/nonexistent" }, "HEAD"))
    expect(await Effect.runPromise(Effect.provide(Effect.flip(asking), objects))).toBeInstanceOf(GitFailed)
    expect(started).toBe(2)
  })

  it("go on when a question is taken back", () =>
    withObjects(
      Effect.gen(function* () {
        const { git, ids, repository } = standard()
        const objects = yield* Objects
        const big = git(["rev-parse", `${ids.fourth}:data/big.bin`])
        yield* objects.info(repository, "HEAD")
        const before = readers(repository.path)
        const reading = yield* Effect.forkChild(objects.read(repository, big))
        yield* Effect.yieldNow
        yield* Fiber.interrupt(reading)
        expect((yield* objects.read(repository, ids.first))?.id).toBe(ids.first)
        expect(readers(repository.path)).toEqual(before)
      })
    ))

  it("of a stream end when nobody reads on", () =>
    withObjects(
      Effect.gen(function* () {
        const { git, ids, repository } = standard()
        const objects = yield* Objects
        const big = git(["rev-parse", `${ids.fourth}:data/big.bin`])
        yield* objects.stream(repository, big).pipe(Stream.take(1), Stream.runDrain)
        yield* Effect.promise(() => until(() => readers(repository.path).length === 0))
      })
    ))

  it("are few, and leave when they are idle", () =>
    Effect.gen(function* () {
      const { repository } = standard()
      const objects = yield* Objects
      const many = Array.from({ length: 6 }, (_, index) => emptyRepository(`${repository.path}-${index}.git`).repository)
      for (const one of many) yield* objects.info(one, "HEAD")
      yield* Effect.promise(() => until(() => readers(`${repository.path}-0.git`).length === 0))
      const all = () => many.flatMap(({ path }) => readers(path))
      yield* Effect.promise(() => until(() => all().length <= 2))
      yield* Effect.promise(() => until(() => all().length === 0))
      expect(yield* objects.info(many[0] ?? repository, "HEAD")).toBe(undefined)
    }).pipe(Effect.provide(Objects.layerWith({ maxProcesses: 2, idleMillis: 300 })), Effect.runPromise))

  it("are started two at a time in the background, and all at once for those who wait", async () => {
    const { repository } = standard()
    const many = Array.from({ length: 6 }, (_, index) => emptyRepository(`${repository.path}-new-${index}.git`).repository)
    const [known, silent] = [makeProcesses(defaultProcessLimits), new Set<unknown>()]
    let highest = 0
    const start: typeof known.start = (...input) => {
      const child = known.start(...input)
      silent.add(child)
      highest = Math.max(highest, silent.size)
      child.stdout.once("data", () => silent.delete(child))
      return child
    }
    const maxConcurrent = async (work: Work) => {
      highest = 0
      const infos = Effect.flatMap(Objects, ({ info }) =>
        Effect.forEach(many, (one) => info(one, "HEAD"), { concurrency: "unbounded" })
      )
      const asked = Effect.provideService(infos, CurrentWork, work)
      await Effect.runPromise(Effect.provideService(Effect.provide(asked, Objects.layer), Processes, { ...known, start }))
      return highest
    }
    expect(await maxConcurrent({ class: "background", caller: "system" })).toBe(2)
    expect(await maxConcurrent({ class: "interactive", caller: "user:1" })).toBe(6)
  })
})
