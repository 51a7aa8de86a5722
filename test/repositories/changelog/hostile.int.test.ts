import { afterAll, describe, expect, it } from "vitest"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"
import { useService } from "#test/support/service.ts"
import { changed, changelogProject, configPath, failed } from "./useChangelog.ts"

const service = useService()
let projects = 0

/** Processor time, far more than anything takes; without bounds the samples take minutes, or all memory. */
const maxMillis = 15_000

const timed = async <A>(run: () => Promise<A>): Promise<A> => {
  const start = cpuMillis()
  const result = await run()
  expect(cpuMillis() - start).toBeLessThan(maxMillis)
  return result
}

const projectWith = async (config: string, messages: ReadonlyArray<string> = [changed("A")]) => {
  const project = await changelogProject(service, { path: `p${projects++}` })
  project.commits([
    { mark: "start", files: { [configPath]: config } },
    ...messages.map((message, index) => ({ mark: `m${index}`, message }))
  ])
  project.git(["tag", "v0.1.0", "main"])
  return { ...project, from: `main~${messages.length}` }
}

const timeout = failed("Template parser timeout. Consider reducing the size of the template")
const quoted = (template: string) => `template: ${JSON.stringify(template)}\n`
const loops = (levels: number, inside: string) => `${"{% each it %}".repeat(levels)}${inside}${"{% end %}".repeat(levels)}`

describe("a configuration that would take long", () => {
  it.each<[string, string, unknown]>([
    ["a large file", `# ${"x".repeat(5 * 1024 * 1024)}\n`, timeout],
    ["a template of many tags", quoted("{{ it }}".repeat(100_000)), timeout],
    ["a template of braces", quoted("{".repeat(400_000)), expect.anything()],
    ["open blocks", quoted("{% if it %}".repeat(50_000)), expect.anything()],
    ["blocks in each other", quoted(`${"{% if it %}".repeat(8_000)}x${"{% end %}".repeat(8_000)}`), expect.anything()],
    ["a long name", quoted(`{{ ${"a".repeat(400_000)}`), expect.anything()],
    ["a long path", quoted(`{{ ${"it.".repeat(100_000)}it }}`), expect.anything()],
    ["white space", quoted(`{{${" \n".repeat(200_000)}`), expect.anything()],
    ["backslashes", quoted("\\\n".repeat(200_000)), expect.anything()],
    ["lists in lists", `a: ${"[".repeat(50_000)}`, expect.anything()],
    ["maps in maps", `a: ${"{a: ".repeat(20_000)}`, expect.anything()],
    [
      "aliases of aliases",
      `a: &a [x,x,x]\n${"bcdefghij".replace(/./g, (name, at: number) => `${name}: &${name} [${`*${"abcdefghij"[at]},`.repeat(9)}]\n`)}`,
      failed(`${configPath} does not contain valid YAML`)
    ],
    [
      "many groups",
      `include_groups: [${Array.from({ length: 60_000 }, (_, index) => `g${index}`).join(",")}]\n`,
      expect.anything()
    ],
    [
      "many categories",
      `categories:\n${Array.from({ length: 20_000 }, (_, index) => `  k${index}: v\n`).join("")}`,
      expect.anything()
    ],
    ["a long pattern of dates", `date_format: "${"%c".repeat(100_000)}"\n`, timeout],
    ["wide dates", `date_format: "${"%99d".repeat(5_001)}"\n`, timeout]
  ])("%s", async (_, config, expected) => {
    const { from, get } = await projectWith(config)
    const { body, status } = await timed(() => get({ version: "1.0.0", from }))
    expect([200, 422]).toContain(status)
    expect([status, body]).toEqual(expected)
  })
})

describe("a template that would print much", () => {
  const entries = Array.from({ length: 1000 }, (_, index) => changed(`Commit ${index} ${"x".repeat(60)}`))

  it.each([
    ["all again for each entry", quoted("{% each categories %}{% each entries %}{{ it }}{% end %}{% end %}"), 200],
    ["everything often", quoted("{{ it }}".repeat(400)), 422],
    ["everything in loops", quoted(loops(4, "{{ it }}{{ it }}{{ it }}".repeat(100))), 422],
    ["nothing, often", quoted(loops(4, "{% if missing %}{% end %}".repeat(5000))), 200]
  ])("%s", async (_, config, expected) => {
    const { from, get } = await projectWith(config, entries)
    const { status, body } = await timed(() => get({ version: "1.0.0", from }))
    expect(status === 422 ? [status, body] : [status]).toEqual(expected === 422 ? timeout : [200])
  })
})

describe("an expression for tags that would take long", () => {
  it.each([
    ["(a+)+$"],
    ["(a|a)*b"],
    ["(.*.*.*.*.*.*)x"],
    ["(?:a{1,900}){1,900}"],
    [`${"(".repeat(400)}a${")".repeat(400)}`],
    ["a".repeat(2000)],
    [`^v?(?P<major>\\d+)${"(\\d*)*".repeat(50)}`]
  ])("%#", async (regex) => {
    const { get, git } = await projectWith(`tag_regex: '${regex}'\n`)
    const id = git(["rev-parse", "main"])
    const tags = Array.from({ length: 300 }, (_, index) => `create refs/tags/${"a".repeat(150)}${index} ${id}\n`)
    git(["update-ref", "--stdin"], tags.join(""))
    const { status } = await timed(() => get({ version: "1.0.0" }))
    expect(status).toBe(422)
  })
})

describe("commits", () => {
  it.each([
    ["with long trailers", `A\n\nChangelog: added${" ".repeat(60_000)}x`],
    ["with many trailers", `A\n\nChangelog: added\n${"Key: value\n".repeat(5_000)}`],
    ["with folded trailers", `A\n\nChangelog: added\n${" more\n".repeat(10_000)}`],
    [
      "that revert many",
      `A\n\n${"This reverts commit 0123456789012345678901234567890123456789.\n".repeat(900)}\nChangelog: added`
    ],
    ["with white space inside", `${" \n".repeat(15_000)}x\n\nChangelog: added${" \t".repeat(15_000)}x`],
    ["with long titles", changed("x ".repeat(30_000))]
  ])("%s are read", async (_, message) => {
    const { from, get } = await projectWith("{}\n", [message])
    const { status } = await timed(() => get({ version: "1.0.0", from }))
    expect(status).toBe(200)
  })

  it("that are very large are passed over", async () => {
    const { from, get } = await projectWith("date_format: x\n", [changed("A", "added", `${"x".repeat(70_000)}\n\n`)])
    const { body } = await timed(() => get({ version: "1.0.0", from }))
    expect(body).toEqual({ notes: "## 1.0.0 (x)\n\nNo changes.\n" })
  })

  it("that are too much together are refused", async () => {
    const message = changed("A", "added", `${"Note: ".padEnd(60_000, "x")}\n`)
    const { from, get } = await projectWith(
      "{}\n",
      Array.from({ length: 600 }, () => message)
    )
    const { body, status } = await timed(() => get({ version: "1.0.0", from }))
    expect([status, body]).toEqual(timeout)
  })

  it("have authors of any form", async () => {
    const project = await projectWith("{}\n", [])
    const emails = ["a\\u0000b@x", "'; drop table users; --", "x".repeat(5000), "ü@example.com", "%", "\\"]
    const commits = emails.map((email, index) => ({
      mark: `e${index}`,
      message: changed(`E${index}`),
      author: { name: "N", email, seconds: 1, offset: "+0000" }
    }))
    project.commits([{ mark: "onward" }, ...commits])
    expect((await project.get({ version: "1.0.0", from: "v0.1.0" })).status).toBe(200)
  })
})

describe("files", () => {
  it.each([
    ["many headers", Array.from({ length: 250_000 }, (_, index) => `## 1.0.${index}\n`).join("")],
    ["a long header", `## 1.0.0-${"a.".repeat(1_500_000)}`],
    ["white space", `##${" ".repeat(3_000_000)}1.0.0`],
    ["empty headers", "## \n".repeat(900_000)]
  ])("of %s", async (_, content) => {
    const { commits, from, post } = await projectWith("{}\n")
    commits([{ mark: "file", files: { "CHANGELOG.md": content } }])
    const { status } = await timed(() => post({ version: "2.0.0", from }))
    expect(status).toBe(200)
  })
})

describe("parameters", () => {
  const long = "x".repeat(2_000_000)
  it.each<[string, Readonly<Record<string, string>>, number]>([
    ["a long version", { version: `1.0.0-${"a.".repeat(1_000_000)}` }, 400],
    ["digits", { version: "1".repeat(2_000_000) }, 400],
    ["a long date", { date: "1".repeat(2_000_000) }, 400],
    ["a long beginning", { from: long }, 422],
    ["a long end", { to: long }, 422],
    ["a long branch", { branch: long }, 422],
    ["a long trailer", { trailer: long }, 200],
    ["a long path of the configuration", { config_file: "a/".repeat(1_000_000) }, 400],
    ["a long path of the file", { file: "a/".repeat(1_000_000) }, 422],
    ["a long message", { message: long }, 200],
    ["control characters", { file: "a\nb\x1b.md", message: "\x07", trailer: "\n" }, 200]
  ])("%s", async (_, more, expected) => {
    const { from, post } = await projectWith("{}\n")
    const { status } = await timed(() => post({ version: "1.0.0", from, ...more }))
    expect(status).toBe(expected)
  })
})

afterAll(() => {
  expect(service.log.filter(({ status }) => status >= 500)).toEqual([])
})
