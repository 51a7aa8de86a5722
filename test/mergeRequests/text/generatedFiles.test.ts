import { Effect } from "effect"
import { expect, it } from "vitest"
import { inSlices } from "#src/kernel/inSlices.ts"
import { generatedFiles, isWellKnownGenerated } from "#src/mergeRequests/text/generatedFiles.ts"
import { generatedRules } from "#src/mergeRequests/text/generatedRules.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"

it.each([
  ["package-lock.json", true],
  ["a/b/yarn.lock", true],
  ["go.sum", true],
  ["Cargo.lock", true],
  ["dist/app.min.js", true],
  ["api/thing.pb.go", true],
  ["api/thing_pb2.py", true],
  ["node_modules/x/index.js", true],
  ["gradlew", true],
  ["package.json", false],
  ["go.mod", false],
  [".min.js", false],
  ["src/admin.js", false],
  ["node_modules", false],
  ["package-lock.json/readme", false]
])("%s is generated: %s", (path, expected) => {
  expect(isWellKnownGenerated(path)).toBe(expected)
})

const path = "src/api.ts"
const generatedIn = (paths: ReadonlyArray<string>, attributes: string) => Effect.runPromise(generatedFiles(paths, attributes))
const rulesIn = (text: string) => Effect.runPromise(inSlices(generatedRules(text)))

/** The longest time, in milliseconds, for which nothing else had its turn meanwhile. */
const longestTurn = async (work: () => Promise<unknown>): Promise<number> => {
  let [longest, last] = [0, cpuMillis()]
  const timer = setInterval(() => {
    longest = Math.max(longest, cpuMillis() - last)
    last = cpuMillis()
  })
  await work()
  clearInterval(timer)
  return Math.max(longest, cpuMillis() - last)
}

it.each([
  ["", false],
  ["*.ts linguist-generated", true],
  ["*.ts linguist-generated=true", true],
  ["*.ts linguist-generated=1", true],
  ["*.ts text linguist-generated eol=lf\r", true],
  ["*.ts -linguist-generated", false],
  ["*.ts linguist-generated=false", false],
  ["*.ts linguist-generated\n*.ts -linguist-generated", false],
  ["*.ts -linguist-generated\n*.ts linguist-generated", true],
  ["*.ts linguist-generated\n*.ts text", true],
  ["*.ts linguist-generated\n*.ts !linguist-generated", false],
  ["*.ts -linguist-generated linguist-generated", true],
  ["*.js linguist-generated", false],
  ["# *.ts linguist-generated", false],
  ["!*.ts linguist-generated", false],
  ["[attr]api.ts linguist-generated", false],
  ["*.ts linguist-generated-x", false],
  ["*.ts x-linguist-generated", false],
  ["linguist-generated", false],
  ['"src/\\141pi.ts" linguist-generated', true],
  ['"src/a pi.ts" linguist-generated', false],
  ["  *.ts\tlinguist-generated", true],
  [`${"x".repeat(3_000)} linguist-generated`, false]
])("by %j a file is generated: %s", async (attributes, expected) => {
  expect((await generatedIn([path], attributes)).has(path)).toBe(expected)
})

it("goes by what is well known where no line says otherwise", async () => {
  const attributes = "yarn.lock -linguist-generated\ngo.sum !linguist-generated"
  const paths = ["yarn.lock", "go.sum", "Cargo.lock", "a.ts"]
  expect([...(await generatedIn(paths, attributes))]).toEqual(["go.sum", "Cargo.lock"])
})

it("reads patterns in quotes", async () => {
  expect(await rulesIn('"\\303\\251 \\"\\t\\141" linguist-generated')).toEqual([{ pattern: 'é "\ta', isGenerated: true }])
})

it("counts the last lines where there are very many, the last one first", async () => {
  const rules = await rulesIn(Array.from({ length: 600 }, (_, index) => `${index} linguist-generated`).join("\n"))
  expect([rules.length, rules[0]?.pattern, rules.at(-1)?.pattern]).toEqual([500, "599", "100"])
})

it("is not slow for patterns that are made for it, and lets others have their turns", async () => {
  const attributes = `${"*a".repeat(900)}b linguist-generated\n`.repeat(500)
  const paths = Array.from({ length: 100_000 }, (_, index) => `${index}/${"a".repeat(200)}`)
  const begun = cpuMillis()
  const longest = await longestTurn(async () => expect((await generatedIn(paths, attributes)).size).toBe(0))
  expect(cpuMillis() - begun).toBeLessThan(4_000)
  expect(longest).toBeLessThan((cpuMillis() - begun) / 2)
})

it.each(["*a linguist-generated ", "linguist-generated\n", '"', "\\", " "])("reads a MiB of %j in linear time", async (part) => {
  const begun = cpuMillis()
  await generatedIn([path], part.repeat(2 ** 20 / part.length))
  expect(cpuMillis() - begun).toBeLessThan(2_000)
})
