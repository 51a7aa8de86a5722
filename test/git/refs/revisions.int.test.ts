import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isRevision, resolveCommit } from "#src/git/refs/revisions.ts"
import { useEmptyRepository, useStandardRepository, withObjects } from "../useRepository.ts"

const standard = useStandardRepository()
const empty = useEmptyRepository()

const resolve = (text: string) => withObjects(resolveCommit(standard().repository, text))

describe("a revision", () => {
  it("is HEAD, an id, a branch, a tag or a full ref, with steps", async () => {
    const { ids } = standard()
    const rows: ReadonlyArray<readonly [string, string]> = [
      ["HEAD", ids.head],
      ["main", ids.head],
      ["refs/heads/main", ids.head],
      ["heads/main", ids.head],
      ["v1.0.0", ids.second],
      ["tags/v1.0.0", ids.second],
      ["refs/tags/nested", ids.second],
      ["nested", ids.second],
      ["signed", ids.fifth],
      ["feature/topic", ids.topicB],
      ["\u{1f600}/wörld", ids.first],
      [ids.third, ids.third],
      [ids.third.toUpperCase(), ids.third],
      [ids.third.slice(0, 8), ids.third],
      [ids.third.slice(0, 12), ids.third],
      [ids.signedTag, ids.fifth],
      ["main~2", ids.fifth],
      ["main~^2", ids.topicB],
      ["HEAD^", ids.merged],
      [`${ids.second}~1`, ids.first],
      ["v1.0.0^0", ids.second],
      ["v1.0.0^{}", ids.second],
      ["nested^{commit}", ids.second],
      ["v1.0.0^{}~1", ids.first],
      ["main~2^{commit}^{}", ids.fifth],
      ["@", ids.head],
      ["@~2", ids.fifth],
      ["@^{}", ids.head]
    ]
    for (const [text, commit] of rows) expect([text, await resolve(text)]).toEqual([text, commit])
  })

  it("is a tag rather than a branch of the same name, as for git", async () => {
    const { git, ids } = standard()
    expect(await resolve("both")).toBe(ids.fifth)
    expect(git(["rev-parse", "both"])).toBe(ids.fifth)
    expect(await resolve("heads/both")).toBe(ids.second)
  })

  it("is a tag or branch rather than another ref of the same short name", async () => {
    const { git, ids } = standard()
    for (const ref of ["refs/notes/a", "refs/release/1", "refs/heads/release/1", "refs/release/2", "refs/tags/release/2"]) {
      git(["update-ref", ref, /^refs.(heads|tags)/.test(ref) ? ids.second : ids.first])
    }
    expect([await resolve("refs/notes/a"), await resolve("notes/a")]).toEqual([ids.first, ids.first])
    expect([await resolve("release/1"), await resolve("refs/release/1")]).toEqual([ids.second, ids.first])
    expect(await resolve("release/2")).toBe(ids.second)
  })

  it("is a branch although it looks like an id or a description", async () => {
    const { git, ids } = standard()
    git(["update-ref", "refs/heads/abcd", ids.second])
    git(["update-ref", `refs/heads/x-g${ids.first.slice(0, 7)}`, ids.second])
    expect(await resolve("abcd")).toBe(ids.second)
    expect(await resolve(`x-g${ids.first.slice(0, 7)}`)).toBe(ids.second)
    expect(await resolve(`y-g${ids.first.slice(0, 7)}`)).toBe(undefined)
  })

  it.each([
    "",
    " ",
    "-h",
    "--all",
    "--upload-pack=x",
    "@~x",
    "@{-1}",
    "@{u}",
    "main@{0}",
    "main@{yesterday}",
    ":README.md",
    "main:README.md",
    ":/First",
    "main^{/First}",
    "main^{tree}",
    "main^{object}",
    "main^{tag}",
    "main^{commit",
    "main^{}{}",
    "^{}",
    "main^!",
    "main^@",
    "^main",
    "main..v1.0.0",
    "main...v1.0.0",
    "main~x",
    "main\n",
    "\nmain",
    "main\nHEAD",
    "ma\0in",
    "main ",
    "a b",
    "main\tx",
    "../../HEAD",
    "refs/heads/../tags/v1.0.0",
    "/main",
    "main/",
    "main.lock",
    "HEAD:",
    "x".repeat(5000),
    `main${"~1".repeat(2000)}`,
    "~1",
    "^",
    "\ud800",
    "*",
    "refs/heads/*"
  ])("is never %j", async (text) => {
    expect(isRevision(text)).toBe(false)
    expect(await resolve(text)).toBe(undefined)
  })

  it("names nothing that is not a commit, not there, hidden, or a file of the repository", async () => {
    const { git, ids } = standard()
    const blob = git(["rev-parse", `${ids.first}:README.md`])
    const tree = git(["rev-parse", `${ids.first}^{tree}`])
    for (const text of [
      "blob-tag",
      "tree-tag",
      blob,
      tree,
      "none",
      "0".repeat(40),
      "refs/internal/keep",
      "internal/keep",
      "config",
      "description",
      "FETCH_HEAD",
      "ORIG_HEAD",
      "main~100",
      "main^3",
      "abc",
      "aaaaaaaa"
    ]) {
      expect([text, await resolve(text)]).toEqual([text, undefined])
    }
    expect(await withObjects(resolveCommit(empty().repository, "HEAD"))).toBe(undefined)
    expect(await withObjects(resolveCommit(empty().repository, "main"))).toBe(undefined)
  })

  it("is one line that starts with no dash, whatever a user writes", () => {
    const pieces = fc.array(
      fc.constantFrom("a", "-", "\n", "\r", "\0", " ", "~", "^", "1", "{", "}", "@", ":", "/", "main", "..", "\u007f", "é")
    )
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      pieces.map((it) => it.join(""))
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what may not be in it
    const harmless = /^[^-\x00-\x20\x7f:][^\x00-\x20\x7f:]*$/
    fc.assert(
      fc.property(text, (it) => !isRevision(it) || harmless.test(it)),
      { numRuns: 2000 }
    )
  })

  it("leaves the process in step, whatever was asked", () =>
    withObjects(
      Effect.gen(function* () {
        const { ids, repository } = standard()
        const odd = fc.sample(fc.string({ unit: "binary", maxLength: 12 }), 300)
        yield* Effect.forEach(odd, (text) => resolveCommit(repository, text), { concurrency: "unbounded" })
        expect(yield* resolveCommit(repository, "main")).toBe(ids.head)
      })
    ))
})
