import { rm } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { startTags, tagNames } from "#test/changelog/samples.ts"
import { field } from "#test/support/exactly.ts"
import { useService } from "#test/support/service.ts"
import { changed, changelogProject, configPath, failed, useChangelog } from "./useChangelog.ts"

const service = useService({ EXTERNAL_URL: "https://forge.example.com" })

/** Each tag on a commit of its own, in this order, each with the trailer; `next` comes after all. */
const tagged = useChangelog(service, { path: "tagged" }, ({ commits, git }) => {
  const ids = commits([...tagNames, "next"].map((mark) => ({ mark, message: changed(`After ${mark}`) })))
  for (const name of tagNames) git(["tag", ...(name.startsWith("v") ? ["-a", "-m", "annotated"] : []), name, ids[name] ?? ""])
  return ids
})

/** Titles of the entries, newest first. */
const titles = (body: unknown): ReadonlyArray<string> =>
  [...String(field(body, "notes")).matchAll(/^- \[(.*?)\]/gm)].map(([, title = ""]) => title)

/** What is listed after a tag up to the end. */
const after = (tag: string) =>
  [...tagNames, "next"]
    .slice(tagNames.indexOf(tag) + 1)
    .map((mark) => `After ${mark}`)
    .reverse()

describe("the range begins", () => {
  it.each(startTags)("for %s at %s", async (version, tag) => {
    const { get } = tagged()
    const { body, status } = await get({ version })
    expect([status, titles(body)]).toEqual([200, after(tag)])
  })

  it.each([
    ["an id", () => tagged().made["v1.1.0"] ?? ""],
    ["an abbreviated id", () => tagged().made["v1.1.0"]?.slice(0, 10) ?? ""],
    ["a tag", () => "v1.1.0"],
    ["steps from a branch", () => "main~2"]
  ])("at %s that was sent, whatever the version", async (_, from) => {
    const { body } = await tagged().get({ version: "0.1.0", from: from() })
    expect(titles(body)).toEqual(["After next", "After v2.0.0"])
  })

  it("with a tag of the same version and a build, which is just below", async () => {
    const { commits, get, git } = await changelogProject(service, { path: "meta" })
    const { b = "" } = commits(["a", "b", "c"].map((mark) => ({ mark, message: changed(mark) })))
    git(["tag", "16.8.0+ee.0", b])
    expect(titles((await get({ version: "16.8.0" })).body)).toEqual(["c"])
  })

  it("nowhere when all tags are of previews, lead to files, or are named otherwise", async () => {
    const { commits, get, git } = await changelogProject(service, { path: "previews" })
    const { a = "" } = commits([{ mark: "a", files: { f: "1" } }])
    for (const name of ["v1.0.0-rc1", "release-1.0.0", "v1.0", "1.0.0.0"]) git(["tag", name, a])
    git(["tag", "v0.1.0", `${a}:f`])
    const { body, status } = await get({ version: "2.0.0" })
    expect([status, body]).toEqual(
      failed("The commit start range is unspecified, and no previous tag could be found to use instead")
    )
  })

  it("by a configured expression", async () => {
    const { commits, get, git } = await changelogProject(service, { path: "regex" })
    const tag_regex = "^release-(?P<major>\\d+)\\.(?P<minor>\\d+)\\.(?P<patch>\\d+)(-(?P<pre>rc\\d+))?$"
    const ids = commits([
      { mark: "a", files: { [configPath]: `tag_regex: '${tag_regex}'\n` } },
      { mark: "b", message: changed("b") },
      { mark: "c", message: changed("c") }
    ])
    git(["tag", "release-1.0.0", ids.a])
    git(["tag", "release-1.1.0-rc1", ids.b])
    git(["tag", "v1.1.0", ids.c])
    expect(titles((await get({ version: "1.2.0" })).body)).toEqual(["c", "b"])
  })
})

describe("the range ends", () => {
  it.each([
    ["the default branch", {}, ["After next", "After v2.0.0"]],
    ["what was sent", { to: "v2.0.0" }, ["After v2.0.0"]],
    ["where it began: no changes", { to: "v1.1.0" }, []],
    ["before it began: no changes", { to: "v1.0.0" }, []]
  ])("with %s", async (_, query, expected) => {
    const { body, status } = await tagged().get({ version: "3.0.0", from: "v1.1.0", ...query })
    expect([status, titles(body)]).toEqual([200, expected])
    if (expected.length === 0)
      expect(body).toMatchObject({ notes: expect.stringMatching(/^## 3\.0\.0 \(.{10}\)\n\nNo changes\.\n$/) })
  })

  it("for a commit with its branch, unless the end was sent", async () => {
    const { commits, git, post } = await changelogProject(service, { path: "ends" })
    commits([{ mark: "a" }, { mark: "b", message: changed("on main") }])
    commits([{ mark: "c", ref: "refs/heads/stable", parents: ["refs/heads/main~1"], message: changed("on stable") }])
    await post({ version: "1.0.0", from: "main~1", branch: "stable" })
    await post({ version: "2.0.0", from: "main~1", branch: "stable", to: "main" })
    const file = git(["show", "stable:CHANGELOG.md"])
    expect(file.split(/^## /m).map((section) => titles({ notes: section }))).toEqual([[], ["on main"], ["on stable"]])
  })
})

describe("merges", () => {
  it("do not matter: all that is reached from the end and not from the beginning", async () => {
    const { commits, get } = await changelogProject(service, { path: "merges" })
    commits([
      { mark: "base" },
      { mark: "side", ref: "refs/heads/side", parents: ["base"], message: changed("side") },
      { mark: "own", ref: "refs/heads/main", parents: ["base"], message: changed("own") },
      { mark: "merge", ref: "refs/heads/main", parents: ["own", "side"], message: changed("merge", "merged") }
    ])
    const { body } = await get({ version: "1.0.0", from: "main~2" })
    expect(titles(body)).toEqual(["merge", "own", "side"])
  })
})

describe("a range of 15000 commits", () => {
  const long = useChangelog(service, { path: "long" }, ({ commits }) => {
    const steps = Array.from({ length: 15_002 }, (_, index) => ({
      mark: String(index),
      message: index === 2 || index === 15_001 ? changed(`Commit ${index}`) : "x"
    }))
    return commits(steps)
  })

  it("is read in full", async () => {
    const { get, made } = long()
    const { body, status } = await get({ version: "1.0.0", from: made[1] ?? "" })
    expect([status, titles(body)]).toEqual([200, ["Commit 15001", "Commit 2"]])
  })

  it("is the longest one", async () => {
    const { get, made, post } = long()
    const answers = [await get({ version: "1.0.0", from: made[0] ?? "" }), await post({ version: "1.0.0", from: made[0] ?? "" })]
    expect(answers.map(({ body, status }) => [status, body])).toEqual(
      answers.map(() => failed("The commits range exceeds 15000 elements."))
    )
  })
})

describe("refusals", () => {
  const invalid = failed("Invalid or not found commit value in the given range")
  const unknownStart = failed("The commit start range is unspecified, and no previous tag could be found to use instead")
  const malformed = failed("The requested `version` attribute format is not correct. Use formats such as `1.0.0` or `v1.0.0`.")
  it.each<[string, Readonly<Record<string, string>>, unknown]>([
    ["no version", {}, [400, { error: "version is missing" }]],
    ["two numbers", { version: "1.2" }, [400, { error: "version is invalid" }]],
    ["no numbers", { version: "abc" }, [400, { error: "version is invalid" }]],
    ["a blank version", { version: "" }, [400, { error: "version is invalid" }]],
    ["no date", { version: "1.0.0", date: "soon" }, [400, { error: "date is invalid" }]],
    ["everything wrong", { version: "1", date: "soon" }, [400, { error: "version is invalid, date is invalid" }]],
    ["no tag below", { version: "0.4.0" }, unknownStart],
    ["a number inside other text, without a beginning", { version: "x1.2.3y" }, malformed],
    ["a text before it", { version: "foo1.2.3" }, malformed],
    ["an unknown beginning", { version: "1.0.0", from: "missing" }, invalid],
    ["a blank beginning", { version: "1.0.0", from: "" }, invalid],
    ["an unknown end", { version: "3.0.0", to: "missing" }, invalid],
    ["a blank end", { version: "3.0.0", to: "" }, invalid],
    ["an unknown id", { version: "3.0.0", to: "0123456789012345678901234567890123456789" }, invalid],
    ["a file", { version: "3.0.0", to: "main:CHANGELOG.md" }, invalid],
    ["an option", { version: "3.0.0", from: "--all", to: "--output=/tmp/x" }, invalid],
    ["several revisions", { version: "3.0.0", from: "v1.0.0 v1.1.0" }, invalid]
  ])("%s", async (_, query, expected) => {
    const { get, post } = tagged()
    const answers = [await get(query), await post(query)]
    expect(answers.map(({ body, status }) => [status, body])).toEqual([expected, expected])
  })

  it("null for a version", async () => {
    const { body, status } = await tagged().post({ version: null })
    expect([status, body]).toEqual(failed("The `version` attribute is required."))
  })

  it("come in order: parameters, configuration, beginning, range", async () => {
    const { commits, get, post } = await changelogProject(service, { path: "order" })
    commits([{ mark: "a", files: { [configPath]: "categories: [1]\n" } }])
    const badConfig = failed('The "categories" configuration key must be a Hash')
    const asked = { version: "1.0.0", to: "missing" }
    expect([(await get(asked)).status, (await get(asked)).body]).toEqual(badConfig)
    expect([(await post({ ...asked, branch: "missing" })).body]).toEqual([badConfig[1]])
    commits([{ mark: "b", files: { [configPath]: "template: '{% end %}'\n" } }])
    expect((await get({ version: "1" })).body).toEqual({ error: "version is invalid" })
    commits([{ mark: "c", files: { [configPath]: "{}\n" } }])
    expect([(await get(asked)).status, (await get(asked)).body]).toEqual(unknownStart)
    expect([(await get({ ...asked, from: "main" })).status, (await get({ ...asked, from: "main" })).body]).toEqual(invalid)
  })

  it("in an empty repository, and where there is none yet", async () => {
    const { get, post, repository } = await changelogProject(service, { path: "empty" })
    const asked = { version: "1.0.0" }
    const all = async () => [
      await get(asked),
      await post(asked),
      await get({ ...asked, from: "a" }),
      await post({ ...asked, from: "a" })
    ]
    const expected = [unknownStart, unknownStart, invalid, invalid]
    expect((await all()).map(({ body, status }) => [status, body])).toEqual(expected)
    await rm(repository.path, { recursive: true })
    expect((await all()).map(({ body, status }) => [status, body])).toEqual(expected)
  })

  it("a branch that is not there", async () => {
    const { body, status } = await tagged().post({ version: "3.0.0", branch: "missing" })
    expect([status, body]).toEqual(invalid)
    const odd = await tagged().post({ version: "3.0.0", branch: "main~1" })
    expect([odd.status, odd.body]).toEqual(invalid)
    const withEnd = await tagged().post({ version: "3.0.0", branch: "missing", to: "main" })
    expect([withEnd.status, withEnd.body]).toEqual(failed("You can only create or edit files when you are on a branch"))
  })
})
