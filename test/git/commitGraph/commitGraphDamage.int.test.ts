import { createHash } from "node:crypto"
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import fc from "fast-check"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { CommitGraphs } from "#src/git/history/CommitGraphs.ts"
import { logIds } from "#src/git/history/log.ts"
import { isAncestor, mergeBases } from "#src/git/history/mergeBase.ts"
import { Objects } from "#src/git/objects/Objects.ts"
import { run } from "#src/git/process/run.ts"
import type { GitFailed } from "#src/git/Repository.ts"
import { resolveCommit } from "#src/git/refs/revisions.ts"
import { reasonOf } from "#src/platform/logging/unavailable.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()
const logged: Array<string> = []
const logger = Logger.layer([Logger.make(({ message }) => logged.push(String(message)))])
const runtime = ManagedRuntime.make(Layer.mergeAll(Objects.layer, CommitGraphs.layer, logger))
afterAll(() => runtime.dispose())

let fixture: GitFixture
let ids: Record<string, string>
let path = ""
let count = 0

const line = Array.from({ length: 6 }, (_, index) => ({ mark: `c${index}`, parents: index === 0 ? [] : [`c${index - 1}`] }))

/** A line of six, two that leave it, a merge of both, and one of four. In a graph of three layers. */
beforeAll(() => {
  fixture = emptyRepository(join(folder(), "whole.git"))
  ids = fixture.commits([
    ...line,
    { mark: "left", parents: ["c3"] },
    { mark: "right", parents: ["c4"] },
    { mark: "merge", parents: ["left", "right"], ref: "refs/heads/merge" },
    { mark: "octopus", parents: ["c5", "left", "right", "c2"], ref: "refs/heads/octopus" }
  ])
  for (const tip of ["c5", "octopus", "merge"]) {
    fixture.git(["update-ref", "refs/heads/tip", ids[tip] ?? ""])
    fixture.git(["commit-graph", "write", "--stdin-commits", "--split=no-merge"], `${ids[tip]}\n`)
  }
})
beforeEach(() => {
  path = join(folder(), `damaged-${++count}.git`)
  cpSync(fixture.repository.path, path, { recursive: true })
  logged.length = 0
})

const graphs = () => join(path, "objects/info/commit-graphs")
const chain = () => join(graphs(), "commit-graph-chain")
const layers = () => readFileSync(chain(), "utf8").split("\n").filter(Boolean)
const layerFile = (hash: string) => join(graphs(), `graph-${hash}.graph`)

/** Where a chunk of a layer lies. */
const chunk = (bytes: Buffer, name: string): number => {
  for (let at = 8; at < bytes.length; at += 12)
    if (bytes.toString("latin1", at, at + 4) === name) return Number(bytes.readBigUInt64BE(at + 4))
  throw new Error(`no ${name}`)
}

type Change = (bytes: Buffer) => Buffer

/**
 * Changes the uppermost layer, or that of this number from above. Right sums are made the names of the files, in the layers above too:
 * only what the layer says is wrong then.
 */
const damage = (change: Change, { from = 0, isSummed = true } = {}) => {
  const names = layers()
  const changed = names.length - 1 - from
  for (const [index, name] of [...names.entries()].slice(changed)) {
    const bytes = index === changed ? change(readFileSync(layerFile(name))) : readFileSync(layerFile(name))
    rmSync(layerFile(name))
    if (!isSummed) return writeFileSync(layerFile(name), bytes)
    for (const [below, base] of names.slice(0, index).entries())
      if (index > changed) bytes.set(Buffer.from(base, "hex"), chunk(bytes, "BASE") + 20 * below)
    const sum = createHash("sha1").update(bytes.subarray(0, -20)).digest()
    bytes.set(sum, bytes.length - 20)
    names[index] = sum.toString("hex")
    writeFileSync(layerFile(sum.toString("hex")), bytes)
  }
  rmSync(chain())
  writeFileSync(chain(), names.map((name) => `${name}\n`).join(""))
}

const written =
  (chunkName: string, at: number, value: number): Change =>
  (bytes) => {
    bytes.writeUInt32BE(value, chunk(bytes, chunkName) + at)
    return bytes
  }

const moved =
  (chunkName: string, start: bigint): Change =>
  (bytes) => {
    bytes.writeBigUInt64BE(start, bytes.indexOf(chunkName) + 4)
    return bytes
  }

const asked = ["c2", "c5", "merge", "octopus"]
const answers = Effect.fnUntraced(function* (repository: { readonly path: string }) {
  const found: Array<unknown> = []
  for (const one of asked)
    for (const other of asked) {
      const [a = "", b = ""] = [ids[one], ids[other]]
      found.push([one, other, yield* mergeBases(repository, [a, b]), yield* isAncestor(repository, a, b)])
    }
  return found
})

const topLayer = 2
const rows: ReadonlyArray<readonly [string, string, () => void]> = [
  ["a bit that fell over", "its check sum is wrong", () => damage(written("CDAT", 24, 1), { isSummed: false })],
  ["an end that is missing", "its check sum is wrong", () => damage((bytes) => bytes.subarray(0, -50), { isSummed: false })],
  ["nothing in it", "it is cut off", () => damage(() => Buffer.alloc(0), { isSummed: false })],
  ["a chain that is none", "its chain is no list of layers", () => writeFileSync(chain(), "../../x\n")],
  [
    "layers in the wrong order",
    "its layers do not belong together",
    () => writeFileSync(chain(), layers().toReversed().join("\n"))
  ],
  ["a layer that is gone", "a layer is missing", () => rmSync(layerFile(layers()[1] ?? ""))],
  ["a layer left out", "its layers do not belong together", () => writeFileSync(chain(), `${layers().slice(1).join("\n")}\n`)],
  ["a parent that is not there", "it has wrong parents", () => damage(written("CDAT", 20, 0x6fffffff))],
  ["a commit that is its own parent", "it has wrong parents", () => damage(written("CDAT", 20, 9))],
  ["a parent that is its child", "it has wrong parents", () => damage(written("CDAT", 20 + 36, 1), { from: topLayer })],
  ["a second parent without a first", "it has a second parent alone", () => damage(written("CDAT", 20, 0x70000000))],
  ["further parents outside of their list", "is out of range", () => damage(written("CDAT", 24, 0x80001000), { from: 1 })],
  ["a generation that is too small", "it has wrong parents", () => damage(written("CDAT", 32, 0))],
  ["a generation outside of its list", "outside buffer bounds", () => damage(written("GDA2", 0, 0x80000005))],
  ["a fanout that miscounts", "it has a wrong fanout", () => damage(written("OIDF", 0, 5))],
  ["ids out of order", "it has ids out of order", () => damage(written("OIDL", 0, 0xffffffff), { from: topLayer })],
  ["a part that ends before it begins", "is out of range", () => damage(moved("OIDL", 12n), { from: topLayer })],
  ["a part behind the end", "is out of range", () => damage(moved("CDAT", 2n ** 62n), { from: topLayer })]
]

describe("a commit-graph with", () => {
  it.each(rows)("%s is told once, and taken away; git answers without it", async (_, reason, change) => {
    const expected = await runtime.runPromise(answers(fixture.repository))
    change()
    expect(await runtime.runPromise(answers({ path }))).toEqual(expected)
    expect([existsSync(chain()), logged]).toEqual([
      false,
      [expect.stringMatching(new RegExp(`^The commit-graph of ${path} is damaged and is removed: .*${reason}`))]
    ])
  })

  it.each<[string, () => Effect.Effect<unknown, GitFailed, Objects>]>([
    ["a list of commits", () => logIds({ path }, { from: [ids.merge ?? ""] })],
    ["an ancestor", () => resolveCommit({ path }, `${ids.merge}~3`)]
  ])("parents that are not there make git fail once, as what passes: %s", async (_, asking) => {
    const all: Change = (bytes) =>
      line.reduce((changed, _, index) => written("CDAT", 20 + 36 * index, 0x6fffffff)(changed), bytes)
    damage(all, { from: topLayer })
    const failure = await runtime.runPromise(Effect.flip(asking()))
    expect([reasonOf(failure), logged]).toEqual([
      "an index of the history was damaged, and is left out from now on",
      [`The commit-graph of ${path} is damaged and is removed: it has wrong parents`]
    ])
    const whole = await runtime.runPromise(asking())
    path = fixture.repository.path
    expect(whole).toEqual(await runtime.runPromise(asking()))
  })

  it("any one byte changed fails nobody", async () => {
    const bytes = readFileSync(layerFile(layers()[0] ?? ""))
    const whole = join(folder(), "kept")
    cpSync(graphs(), whole, { recursive: true })
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 21), fc.integer({ min: 1, max: 255 }), async (at, bits) => {
        rmSync(graphs(), { recursive: true })
        cpSync(whole, graphs(), { recursive: true })
        const flipped: Change = (layer) => {
          layer.writeUInt8((layer[at] ?? 0) ^ bits, at)
          return layer
        }
        damage(flipped, { from: topLayer })
        await runtime.runPromise(mergeBases({ path }, [ids.merge ?? "", ids.octopus ?? "", ids.c5 ?? ""]))
      }),
      { numRuns: 60 }
    )
  })
})

it("words of git that name a commit-graph do not make it damaged", async () => {
  const name = "refs/heads/fix-commit-graph"
  writeFileSync(join(path, `${name}.lock`), "")
  const failure = await runtime.runPromise(Effect.flip(run({ path }, ["update-ref", name, ids.c1 ?? ""])))
  expect(failure.stderr).toMatch(/^fatal: .*fix-commit-graph/)
  const reason = `another process is changing the repository: it holds ${name}.lock`
  expect([reasonOf(failure), existsSync(chain()), logged]).toEqual([reason, true, []])
})

it("a commit-graph that is written anew is read again", async () => {
  damage(written("CDAT", 20, 0x6fffffff))
  const graph = CommitGraphs.use((all) => all.of({ path }))
  expect(await runtime.runPromise(graph)).toBeUndefined()
  cpSync(join(fixture.repository.path, "objects/info"), join(path, "objects/info"), { recursive: true })
  expect((await runtime.runPromise(graph))?.size).toBe(10)
})
