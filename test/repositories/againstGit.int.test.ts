import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { randomHistory } from "#test/support/git/gitRandom.ts"
import { type Sent, useService } from "#test/support/service.ts"
import { useEmptyCode } from "./useCode.ts"

const service = useService()
const code = useEmptyCode(service, { path: "random" })
const count = 120
const ids: Record<string, string> = {}

beforeAll(() => {
  const made = code().fixture.commits(randomHistory(count, 5))
  for (let index = 0; index < count; index++) ids[`b${index}`] = made[`c${index}`] ?? ""
})

const branch = fc.nat(count - 1).map((index) => `b${index}`)
const runs = { numRuns: 200, seed: 1 }

const ask = async (path: string, query: NonNullable<Sent["query"]>) =>
  (await service.request("GET", `/projects/${code().id}/repository/${path}`, { query })).body
const records = (end: string, ...args: ReadonlyArray<string>): ReadonlyArray<string> =>
  code().fixture.git(args).split(end).filter(Boolean)

const basesOf = (...refs: ReadonlyArray<string>): ReadonlyArray<string> => {
  try {
    return records("\n", "merge-base", "--all", ...refs)
  } catch {
    return []
  }
}

/** The changed files, from what git prints for people. */
const changesOf = (base: string, to: string) => {
  const printed = code().fixture.git(["diff", "--find-renames=30%", "--raw", "--no-abbrev", "--patch", "--full-index", base, to])
  const [list = "", ...texts] = `${printed}\n`.split(/^diff --git .*\n/m)
  const halves = list
    .split("\n")
    .filter(Boolean)
    .flatMap((line) => {
      const [head = "", old_path = "", new_path = old_path] = line.split("\t")
      const [aMode = "", bMode = "", , , status = ""] = head.slice(1).split(" ")
      const modes =
        status === "T"
          ? [
              [aMode, "0"],
              ["0", bMode]
            ]
          : [[aMode, bMode]]
      return modes.map((pair) => ({ modes: pair.map((mode) => mode.replace(/^0+(?=.)/, "")), old_path, new_path }))
    })
  return halves.map(({ modes: [a_mode, b_mode], new_path, old_path }, index) => ({
    diff: /^(@@|Binary files)[\s\S]*/m.exec(texts[index] ?? "")?.[0] ?? "",
    new_path,
    old_path,
    a_mode,
    b_mode,
    new_file: a_mode === "0",
    renamed_file: old_path !== new_path,
    deleted_file: b_mode === "0"
  }))
}

it("the history has all that makes it hard", () => {
  const number = (...args: ReadonlyArray<string>) => Number(code().fixture.git(["rev-list", "--count", "--all", ...args]))
  expect(number()).toBe(count)
  expect([number("--max-parents=0"), number("--min-parents=3") > 2, basesOf("b28", "b29").length]).toEqual([3, true, 2])
  for (const filter of ["A", "D", "M", "R", "T"]) {
    const commits = new Set(records("\n", "log", "--all", "--find-renames=30%", `--diff-filter=${filter}`, "--format=%H"))
    expect([filter, commits.size > 4]).toEqual([filter, true])
  }
})

describe("200 random pairs of branches are as git has them", () => {
  it("compared", async () => {
    const property = fc.asyncProperty(branch, branch, fc.boolean(), async (from, to, straight) => {
      const base = straight || from === to ? ids[from] : (basesOf(from, to)[0] ?? ids[from])
      const { commits, ...others } = Object(await ask("compare", { from, to, straight: String(straight) }))
      const expected = records("\n", "rev-list", "--reverse", to, `^${from}`)
      expect(commits.map((commit: unknown) => field(commit, "id"))).toEqual(expected)
      expect(others).toEqual({
        commit: commits.at(-1) ?? null,
        diffs: changesOf(base ?? "", to),
        compare_timeout: false,
        compare_same_ref: from === to,
        web_url: `${service.url}/root/random/-/compare/${base}...${ids[to]}`
      })
    })
    await fc.assert(property, runs)
  })

  it("with what they have in common", async () => {
    const property = fc.asyncProperty(branch, branch, fc.array(branch, { maxLength: 2 }), async (one, other, more) => {
      const refs = [one, other, ...more]
      const body = await ask("merge_base", { refs: refs.join(",") })
      const [first] = basesOf(...refs)
      if (first === undefined) expect(body).toEqual({ message: "404 Merge Base Not Found" })
      else expect(field(body, "id")).toBe(first)
    })
    await fc.assert(property, runs)
  })

  it("with their directories", async () => {
    const rank = ["tree", "blob", "commit"]
    const known = new Map<string, ReturnType<typeof listed>>()
    const listed = (ref: string) =>
      records("\0", "ls-tree", "-z", "-r", "-t", ref).map((record) => {
        const [, mode = "", type = "", id = "", path = ""] = /^(\d+) (\w+) (\w+)\t(.*)$/.exec(record) ?? []
        return { id, name: path.slice(path.lastIndexOf("/") + 1), type, path, mode }
      })
    const pages = async (query: Readonly<Record<string, string>>): Promise<ReadonlyArray<unknown>> => {
      const all: Array<unknown> = []
      let at: string | undefined = `/projects/${code().id}/repository/tree?${new URLSearchParams(query)}`
      while (at !== undefined) {
        const { body, headers } = await service.request("GET", at)
        all.push(...(Array.isArray(body) ? body : [body]))
        at = /\/api\/v4([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]
      }
      return all
    }
    const perPage = fc.integer({ min: 2, max: 30 })
    const property = fc.asyncProperty(branch, fc.nat(12), fc.boolean(), perPage, async (ref, nth, isRecursive, size) => {
      const entries = known.get(ref) ?? listed(ref)
      known.set(ref, entries)
      const at = nth === 0 ? undefined : entries[nth % entries.length]
      const inside = at === undefined ? "" : `${at.path}/`
      const below = entries
        .filter(({ path }) => path.startsWith(inside) && (isRecursive || !path.slice(inside.length).includes("/")))
        .sort((one, other) => rank.indexOf(one.type) - rank.indexOf(other.type))
      const isFolder = at === undefined || at.type === "tree"
      const query = { ref, path: at?.path ?? "", recursive: String(isRecursive), per_page: String(size) }
      expect(await pages(query)).toEqual(isFolder ? below : [{ message: "404 invalid revision or path Not Found" }])
    })
    await fc.assert(property, runs)
  })

  it("with those who contributed", async () => {
    const known = new Map<string, ReadonlyArray<unknown>>()
    /** The contributors by their addresses. The name is that of the newest commit that has one. */
    const counted = (ref: string): ReadonlyArray<unknown> => {
      const log = records("\0", "log", "--no-merges", "--no-renames", "--numstat", "--format=%x00%ct%x09%H%x09%ae%x09%an", ref)
      const commits = log.map((record) => {
        const [head = "", ...counts] = record.split("\n").filter(Boolean)
        const [time = "", id = "", email = "", name = ""] = head.split("\t")
        const sum = (column: number) => counts.reduce((total, line) => total + (Number(line.split("\t")[column]) || 0), 0)
        return { newest: `${time} ${id}`, email, name, additions: sum(0), deletions: sum(1) }
      })
      const people = [...Map.groupBy(commits, ({ email }) => email)].sort(([one], [other]) => (one < other ? -1 : 1))
      return people.map(([email, own]) => ({
        name:
          own.filter(({ name }) => name.trim() !== "").sort((one, other) => (one.newest < other.newest ? 1 : -1))[0]?.name ?? "",
        email,
        commits: own.length,
        additions: own.reduce((sum, { additions }) => sum + additions, 0),
        deletions: own.reduce((sum, { deletions }) => sum + deletions, 0)
      }))
    }
    const property = fc.asyncProperty(branch, branch, async (one, other) => {
      for (const ref of [one, other]) {
        if (!known.has(ref)) known.set(ref, counted(ref))
        expect([ref, await ask("contributors", { ref, order_by: "email" })]).toEqual([ref, known.get(ref)])
      }
    })
    await fc.assert(property, runs)
  })
})
