import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { makeLanguages } from "#src/projects/languages/Languages.ts"
import type { LanguageBytes } from "#src/projects/languages/LanguageTally.ts"
import { type LanguageCache, languageFile } from "#src/projects/languages/languageCache.ts"
import { reconcile } from "#src/pushes/reconcile.ts"
import { emptyRepository, type GitFixture, gitFixture } from "#test/support/git/gitFixtures.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { useProjects } from "../useProjects.ts"

const { service, addMember, newProject, newUser, put } = useProjects()
const folder = temporaryFolder()

const languages = async (id: number, token?: string | null) => {
  const { body, status } = await service.request("GET", `/projects/${id}/languages`, { token })
  return [status, JSON.stringify(body)]
}
const fixtureOf = async (id: number): Promise<GitFixture> =>
  gitFixture(await service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id)))))
/** Makes branches of one commit each, recorded like pushes. */
const pushed = async (id: number, branches: Readonly<Record<string, Readonly<Record<string, string>>>>) => {
  const { commits } = await fixtureOf(id)
  commits(Object.entries(branches).map(([name, files]) => ({ mark: name, ref: `refs/heads/${name}`, parents: [], files })))
  await service.run(reconcile)
}

describe("GET /projects/:id/languages", () => {
  let id = 0
  beforeAll(async () => {
    id = await newProject("written", { visibility: "public" })
    const files = { "src/a.ts": "x".repeat(6669), "run.sh": "y".repeat(3331), "README.md": "#".repeat(5000), "vendor/a.go": "z" }
    await pushed(id, { main: files, other: { "a.go": "x" } })
  })

  it("tells the shares of the default branch, whichever it is", async () => {
    expect(await languages(id)).toEqual([200, '{"TypeScript":66.69,"Shell":33.31}'])
    expect(await languages(id, null)).toEqual(await languages(id))
    await put(id, { json: { default_branch: "other" } })
    expect(await languages(id)).toEqual([200, '{"Go":100}'])
    await put(id, { json: { default_branch: "main" } })
  })

  it("of a repository without commits, or of none, are none", async () => {
    const empty = await newProject("empty")
    expect(await languages(empty)).toEqual([200, "{}"])
    await service.run(Repositories.use((repositories) => repositories.remove(empty)))
    expect(await languages(empty)).toEqual([200, "{}"])
  })

  it("needs the right to read the code", async () => {
    const hidden = await newProject("hidden")
    const [guest, reporter, stranger] = [await newUser("guest"), await newUser("reporter"), await newUser("stranger")]
    await addMember(`/projects/${hidden}`, guest.id, 10)
    await addMember(`/projects/${hidden}`, reporter.id, 20)
    expect(await languages(hidden, stranger.token)).toEqual([404, '{"message":"404 Project Not Found"}'])
    expect(await languages(hidden, null)).toEqual([404, '{"message":"404 Project Not Found"}'])
    expect(await languages(hidden, guest.token)).toEqual([403, '{"message":"403 Forbidden"}'])
    expect(await languages(hidden, reporter.token)).toEqual([200, "{}"])
  })
})

const forgetful = () => {
  let puts = 0
  const cache: LanguageCache = { get: () => Effect.undefined, put: () => Effect.sync(() => void puts++) }
  return { cache, puts: () => puts }
}

describe("the tree of a commit", () => {
  it("is summed up as git lists it: without links and submodules, in whatever pieces it comes", async () => {
    const { commits, git, repository } = emptyRepository(`${folder()}/many.git`)
    const names = Array.from(
      { length: 4000 },
      (_, index) => `d${index % 7}/Größe ${index}\n.${["ts", "go", "md", "py"][index % 4]}`
    )
    const files = Object.fromEntries(names.map((name, index) => [name, "x".repeat(index % 50)]))
    const { first } = commits([{ mark: "first", files }])
    const [blob] = git(["rev-parse", `${first}:d0`]).split("\n")
    const tree = git(
      ["mktree"],
      [
        `120000 blob ${git(["hash-object", "-w", "--stdin"], "target")}\tlink.c`,
        `160000 commit ${first}\tsub.rb`,
        `040000 tree ${blob}\tdir.c`
      ].join("\n")
    )
    const odd = git(["commit-tree", tree, "-m", "odd"])
    const of = (commit: string) => Effect.runPromise(makeLanguages(forgetful().cache).of(repository, commit))
    const expected = (commit: string): LanguageBytes => {
      const sums = new Map<string, number>()
      for (const line of git(["ls-tree", "-r", "-l", "-z", commit]).split("\0")) {
        const [, size, ending] = /^100644 \w+ \w+ +(\d+)\t[\s\S]*\.(ts|go|py)$/.exec(line) ?? []
        const language = { ts: "TypeScript", go: "Go", py: "Python" }[ending ?? ""]
        if (language !== undefined) sums.set(language, (sums.get(language) ?? 0) + Number(size))
      }
      return [...sums].sort((a, b) => b[1] - a[1])
    }
    expect(await of(first)).toEqual(expected(first))
    expect(await of(odd)).toEqual(expected(odd))
  })

  it("is read to the limit", async () => {
    const { commits, repository } = emptyRepository(`${folder()}/large.git`)
    const { first } = commits([{ mark: "first", files: { "a.ts": "1", "b.go": "22", "c.py": "333", "d.rb": "4444" } }])
    const { of } = makeLanguages(forgetful().cache, { maxFiles: 2 })
    expect(await Effect.runPromise(of(repository, first))).toEqual([
      ["Go", 2],
      ["TypeScript", 1]
    ])
  })

  it("is read once for all who ask at the same time", async () => {
    const { commits, repository } = emptyRepository(`${folder()}/shared.git`)
    const { first } = commits([{ mark: "first", files: { "a.ts": "1" } }])
    const { cache, puts } = forgetful()
    const { of } = makeLanguages(cache)
    const asking = Array.from({ length: 20 }, () => of(repository, first))
    const answers = await Effect.runPromise(Effect.all(asking, { concurrency: "unbounded" }))
    expect([new Set(answers.map((answer) => JSON.stringify(answer))), puts()]).toEqual([new Set(['[["TypeScript",1]]']), 1])
  })

  it("that is not there fails, and what is no id is never asked", async () => {
    const { repository } = emptyRepository(`${folder()}/missing.git`)
    const { of } = makeLanguages(forgetful().cache)
    expect((await Effect.runPromise(Effect.flip(of(repository, "e".repeat(40)))))._tag).toBe("GitFailed")
    await expect(Effect.runPromise(of(repository, "--help"))).rejects.toThrow("Not a full object id")
  })
})

describe("the file of languages", () => {
  it("is used for its commit, and counted anew when it is damaged or of another version", async () => {
    const { commits, git, repository } = emptyRepository(`${folder()}/file.git`)
    const { first, second } = commits([
      { mark: "first", files: { "a.ts": "1" } },
      { mark: "second", files: { "a.ts": null, "b.go": "1" } }
    ])
    const { of } = makeLanguages(languageFile)
    const ask = (commit: string) => Effect.runPromise(of(repository, commit))
    const file = `${repository.path}/languages.json`
    expect(await ask(first)).toEqual([["TypeScript", 1]])
    const kept = readFileSync(file, "utf8")
    writeFileSync(file, kept.replace("TypeScript", "Kept"))
    expect([await ask(first), await ask(second), await ask(first)]).toEqual([[["Kept", 1]], [["Go", 1]], [["TypeScript", 1]]])
    for (const damaged of ["", "{}", kept.replace(/"version":"[^"]*"/, '"version":"0"').replace("TypeScript", "Other")]) {
      writeFileSync(file, damaged)
      expect(await ask(first)).toEqual([["TypeScript", 1]])
    }
    expect(readdirSync(repository.path).filter((name) => name.startsWith("languages"))).toEqual(["languages.json"])
    expect(git(["fsck"])).toBe("")
  })
})
