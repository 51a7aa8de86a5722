import { afterAll, describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { answerOf, useService } from "#test/support/service.ts"
import { author, changed, changelogProject, configPath, failed, newUser } from "./useChangelog.ts"

const externalUrl = "https://forge.example.com"
const service = useService({ EXTERNAL_URL: externalUrl })
let projects = 0
const newProject = () => changelogProject(service, { path: `p${projects++}` })
type Project = Awaited<ReturnType<typeof newProject>>

const url = (id = "") => `${externalUrl}/root/p${projects - 1}/-/commit/${id}`
const date = "2021-01-05T00:00:00Z"
const version = "1.0.0"
const asked = { version, date, from: "refs/tags/start" }

/** The notes without their header. */
const notesOf = async ({ get }: Project, query: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { body, status } = await get({ ...asked, ...query })
  const notes = String(field(body, "notes"))
  expect([status, notes.split("\n").slice(0, 2)]).toEqual([200, ["## 1.0.0 (2021-01-05)", ""]])
  return notes.split("\n").slice(2).join("\n")
}

type Steps = Parameters<Project["commits"]>[0]

/** Commits after a first one, which may hold a configuration, and which the tag `start` names. */
const projectWith = async (steps: Steps, config?: string) => {
  const project = await newProject()
  const files = config === undefined ? {} : { [configPath]: config }
  const ids: Readonly<Record<string, string>> = project.commits([{ mark: "start", files }, ...steps])
  project.git(["tag", "start", ids.start ?? ""])
  return { ...project, ids: (mark: string) => ids[mark] ?? "" }
}

/** A template that prints an expression of each entry on a line of its own, after its title. */
const printing = (...selectors: ReadonlyArray<string>) => {
  const shown = selectors.map((selector) => `{{ ${selector} }}`).join("|")
  return `template: |\n  {% each categories %}\n  {% each entries %}\n  {{ title }}:${shown}\n  {% end %}\n  {% end %}\n`
}
const lines = async (project: Project, query?: Readonly<Record<string, string>>) =>
  (await notesOf(project, query)).split("\n").filter((line) => line !== "")

describe("the section", () => {
  it("has categories with their entries, newest first", async () => {
    const project = await projectWith([
      { mark: "E3", message: changed("E3", "fixed") },
      { mark: "E2", message: changed("E2") },
      { mark: "E1", message: changed("E1") },
      { mark: "none", message: "none" }
    ])
    expect((await project.get(asked)).body).toEqual({
      notes: `## 1.0.0 (2021-01-05)

### added (2 changes)

- [E1](${url(project.ids("E1"))})
- [E2](${url(project.ids("E2"))})

### fixed (1 change)

- [E3](${url(project.ids("E3"))})
`
    })
  })

  it("says when there is nothing", async () => {
    const project = await projectWith([{ mark: "a" }])
    expect((await project.get(asked)).body).toEqual({ notes: "## 1.0.0 (2021-01-05)\n\nNo changes.\n" })
  })

  it.each([
    ["v1.2.0", "2024-01-01T23:30:00-05:00", "## 1.2.0 (2024-01-01)"],
    ["1.2.0", "2024-01-01T23:30:00Z", "## 1.2.0 (2024-01-01)"],
    ["1.2.0", "2024-02-29", "## 1.2.0 (2024-02-29)"],
    ["1.2.0-rc1+b", "2024-01-02T00:30:00+14:00", "## 1.2.0-rc1+b (2024-01-02)"],
    ["x1.2.3y", "2024-01-01", "## x1.2.3y (2024-01-01)"]
  ])("of %s at %s has the header %s", async (wanted, at, header) => {
    const project = await projectWith([{ mark: "a" }])
    const { body } = await project.get({ version: wanted, date: at, from: "start" })
    expect(String(field(body, "notes")).split("\n")[0]).toBe(header)
  })

  it("has today's date, UTC, unless one is sent", async () => {
    const project = await projectWith([{ mark: "a" }])
    const days = () => new Date().toISOString().slice(0, 10)
    const before = days()
    const { body } = await project.get({ version, from: "start", date: "" })
    expect([before, days()].map((day) => `## 1.0.0 (${day})`)).toContain(String(field(body, "notes")).split("\n")[0])
  })

  it("is the same whether a commit of it is asked for by form, JSON or query", async () => {
    const project = await projectWith([{ mark: "a" }])
    const path = `/projects/${project.id}/repository/changelog`
    const sent = { ...asked, date: "2024-01-01T23:30:00-05:00" }
    for (const each of [{ form: { ...sent, file: "form.md" } }, { json: { ...sent, file: "json.md" } }]) {
      expect((await service.request("POST", path, each)).status).toBe(200)
    }
    expect((await service.request("POST", path, { query: { ...sent, file: "query.md" } })).status).toBe(200)
    for (const file of ["form.md", "json.md", "query.md"]) {
      expect(project.git(["show", `main:${file}`])).toBe("## 1.0.0 (2024-01-01)\n\nNo changes.")
    }
  })
})

describe("a commit is listed", () => {
  it("by the trailer with exactly this name, under its last value", async () => {
    const project = await projectWith([
      { mark: "a", message: "A\n\nchangelog: added\n" },
      { mark: "b", message: "B\n\nChangelog: added\nChangelog: fixed\n" },
      { mark: "c", message: "C\n\nChangelog: added\n\nNot the last paragraph\n" },
      { mark: "d", message: "D\n\nNote: n\n\nChangelog: added\nSigned-off-by: S <s@example.com>\n" },
      { mark: "e", message: "Changelog: added" },
      { mark: "f", message: "F\n\nType: other\n" }
    ])
    const entry = (mark: string, title = mark.toUpperCase()) => `- [${title}](${url(project.ids(mark))})\n`
    expect(await notesOf(project)).toBe(`### added (1 change)\n\n${entry("d")}\n### fixed (1 change)\n\n${entry("b")}`)
    expect(await notesOf(project, { trailer: "Type" })).toBe(`### other (1 change)\n\n${entry("f")}`)
    expect(await notesOf(project, { trailer: "changelog" })).toBe(`### added (1 change)\n\n${entry("a")}`)
  })

  it("unless it is reverted", async () => {
    const project = await newProject()
    const [start] = [project.commits([{ mark: "start" }]).start]
    project.git(["tag", "start", start])
    const add = (message: string) => project.commits([{ mark: "x", message }]).x
    const revert = (id: string, more = "") => `Revert\n\nThis reverts commit ${id}.\n${more}`
    const gone = add(changed("gone"))
    add(revert(gone))
    const named = add(changed("named"))
    add(revert(named.slice(0, 12)))
    const shouted = add(changed("shouted"))
    add(`Undo\n\nthis REVERTS commit ${shouted.toUpperCase()}`)
    const replaced = add(changed("replaced"))
    add(revert(replaced, "\nChangelog: fixed\n"))
    const back = add(changed("back"))
    const undone = add(revert(back, "\nChangelog: fixed\n"))
    add(revert(undone))
    const inTitle = add(changed("in title"))
    add(`This reverts commit ${inTitle}`)
    const inside = add(changed("inside"))
    add(`Revert\n\nSee: This reverts commit ${inside}`)
    const titles = [...(await notesOf(project)).matchAll(/\[(.*?)\]/g)].map(([, title]) => title)
    expect(titles).toEqual(["inside", "in title", "back", "named", "Revert"])
  })

  it("across pages", async () => {
    const project = await newProject()
    const { first, start } = project.commits([{ mark: "start" }, { mark: "first", message: changed("first") }])
    project.git(["tag", "start", start])
    const fill = Array.from({ length: 1100 }, (_, index) => ({ mark: `m${index}`, message: changed(`m${index}`, "many") }))
    project.commits([{ mark: "onward" }, ...fill, { mark: "r", message: `R\n\nThis reverts commit ${first}.` }])
    const notes = await notesOf(project)
    expect([notes.includes("### many (1100 changes)"), notes.includes("first"), notes.split("\n").length]).toEqual([
      true,
      false,
      1103
    ])
  })

  it("with its title, cut at a space where it is long", async () => {
    const words = "word ".repeat(30).trim()
    const project = await projectWith([
      { mark: "a", message: changed("x".repeat(99)) },
      { mark: "b", message: changed("x".repeat(100)) },
      { mark: "c", message: changed(words) }
    ])
    const titles = [...(await notesOf(project)).matchAll(/\[(.*?)\]/g)].map(([, title]) => title)
    expect(titles).toEqual([`${"word ".repeat(15).trim()}...`, `${"x".repeat(78)}...`, "x".repeat(99)])
  })

  it("as the bytes are", async () => {
    const project = await projectWith([{ mark: "a", message: changed("Grüße 🎉 <b> [x](y)", "neu") }])
    expect(await notesOf(project)).toBe(`### neu (1 change)\n\n- [Grüße 🎉 <b> [x](y)](${url(project.ids("a"))})\n`)
  })
})

describe("an entry", () => {
  it("knows its commit, with all trailers", async () => {
    const selectors = ["commit.reference", "commit.web_url", "commit.trailers.Changelog", "commit.trailers.Note", "merge_request"]
    const message = "A\n\nNote: one\nNote: two\nChangelog: added\n"
    const project = await projectWith([{ mark: "a", message }], printing(...selectors))
    const id = project.ids("a")
    expect(await lines(project)).toEqual([`A:root/p${projects - 1}@${id}|${url(id)}|added|two|`])
  })

  it("knows the account of its author, in any case of the address", async () => {
    await newUser(service, "ann")
    const project = await projectWith(
      [
        { mark: "a", message: changed("known"), author: author("Somebody", "Ann@Example.COM") },
        { mark: "b", message: changed("unknown"), author: author("ann", "else@example.com") },
        { mark: "c", message: changed("nobody"), author: author("ann", "") }
      ],
      printing("author.reference", "author.contributor", "author.credit", "author")
    )
    const known = '{"reference"=>"@ann", "contributor"=>false, "credit"=>false}'
    expect(await lines(project)).toEqual(["nobody:|||", "unknown:|||", `known:@ann|false|false|${known}`])
  })
})

describe("credit", () => {
  const config = (groups: string) => `include_groups: ${groups}\n`
  const group = async (path: string, visibility: string, members: ReadonlyArray<number>, parent?: number) => {
    const made = await service.request("POST", "/groups", {
      json: { name: path, path, visibility, ...(parent === undefined ? {} : { parent_id: parent }) }
    })
    const id = Number(field(made.body, "id"))
    for (const user_id of members) {
      await service.request("POST", `/groups/${id}/members`, { json: { user_id, access_level: 10 } })
    }
    return id
  }
  const names = (notes: string) => [...notes.matchAll(/ by (@\w+)$/gm)].map(([, name]) => name)
  const by = (name: string) => ({ mark: name, message: changed(name), author: author(name, `${name}@example.com`) })

  it("is for direct members of the groups, and for nobody else", async () => {
    const [bea, cleo, dan] = [await newUser(service, "bea"), await newUser(service, "cleo"), await newUser(service, "dan")]
    const parent = await group("thanks", "public", [bea.id])
    await group("below", "public", [cleo.id], parent)
    await group("hidden", "private", [dan.id])
    const steps = [by("bea"), by("cleo"), by("dan"), by("stranger")]
    const credited = async (groups: string, token?: string) => {
      const project = await projectWith(steps, config(groups))
      return names(String(field((await project.get(asked, { token })).body, "notes")))
    }
    expect(await credited("[thanks]")).toEqual(["@bea"])
    expect(await credited("thanks")).toEqual(["@bea"])
    expect(await credited(`[THANKS, thanks/below, missing, 5, null, '', "a\\0b", "\\ud800", "'"]`)).toEqual(["@cleo", "@bea"])
    expect(await credited(`['${parent}']`)).toEqual([])
    expect(await credited("[root]")).toEqual([])
    // Whether the group counts depends on who asks.
    expect(await credited("[hidden]")).toEqual(["@dan"])
    expect(await credited("[hidden]", bea.token)).toEqual([])
    expect(await credited("[hidden]", dan.token)).toEqual(["@dan"])
  })

  it("is not for members of the project, nor for those who only wrote commits", async () => {
    const eve = await newUser(service, "eve")
    const project = await projectWith([by("eve"), by("bea")])
    await service.request("POST", `/projects/${project.id}/members`, { json: { user_id: eve.id, access_level: 30 } })
    expect(names(await notesOf(project))).toEqual([])
  })

  it("is looked for only so often", async () => {
    const many = Array.from({ length: 500 }, (_, index) => `g${index}`)
    const project = await projectWith([by("bea")], config(`[${many.join(", ")}, thanks]`))
    expect(names(await notesOf(project))).toEqual([])
  })
})

/** Loops in each other over all that there is. */
const loops = (levels: number, inside: string) => `${"{% each it %}".repeat(levels)}${inside}${"{% end %}".repeat(levels)}`

describe("a configuration", () => {
  it.each([
    ["no file", undefined],
    ["an empty file", ""],
    ["a lone ---", "---\n"],
    ["unknown keys", "other: 1\n"],
    ["null and false", "date_format:\ntemplate: false\ncategories: ~\ntag_regex: null\ninclude_groups: false\n"]
  ])("of %s leaves everything as usual", async (_, config) => {
    const project = await projectWith([{ mark: "a", message: changed("A") }], config)
    expect(await notesOf(project)).toBe(`### added (1 change)\n\n- [A](${url(project.ids("a"))})\n`)
  })

  it("chooses date, titles of categories and their order, and template", async () => {
    const config = `
date_format: '%d.%m.%Y %H:%M %z'
categories:
  security: Security
  bug: Fixes
  fix: Fixes
  unused: Unused
template: |
  {% each categories %}
  {{ title }} ({{ count }}){% if single_change %} one{% end %}

  {% each entries %}
  * {{ title }}
  {% end %}
  {% end %}
`
    const steps = [
      ["one", "fix"],
      ["two", "zebra"],
      ["three", "bug"],
      ["four", "security"],
      ["five", "apple"]
    ] as const
    const project = await projectWith(
      steps.map(([title, category]) => ({ mark: title, message: changed(title, category) })),
      config
    )
    const { body } = await project.get({ ...asked, date: "2024-01-01T23:30:00-05:00" })
    expect(String(field(body, "notes"))).toBe(`## 1.0.0 (01.01.2024 23:30 -0500)

Security (1) one
* four
Fixes (2)
* three
* one
apple (1) one
* five
zebra (1) one
* two
`)
  })

  it("lies in the default branch, whatever the range is", async () => {
    const project = await projectWith([], "date_format: main\n")
    project.commits([
      { mark: "s", ref: "refs/heads/stable", parents: ["refs/heads/main"], files: { [configPath]: "date_format: stable\n" } }
    ])
    const answers = [
      await project.get({ version, from: "main", to: "stable" }),
      await project.get({ version, from: "start", to: "main" })
    ]
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => ({ notes: "## 1.0.0 (main)\n\nNo changes.\n" })))
    await project.post({ version, from: "start", branch: "stable" })
    expect(project.git(["show", "stable:CHANGELOG.md"])).toBe("## 1.0.0 (main)\n\nNo changes.")
  })

  it("may lie elsewhere", async () => {
    const project = await newProject()
    project.commits([{ mark: "start", files: { "docs/changes.yml": "date_format: other\n", "docs/bad.yml": "a: [\n" } }])
    project.git(["tag", "start", "main"])
    const headers = ["docs/changes.yml", "docs//changes.yml", "docs", "missing", "", "docs/changes.yml/x"]
    const answers: Array<unknown> = []
    for (const config_file of headers) {
      answers.push(String(field((await project.get({ ...asked, config_file })).body, "notes")).split("\n")[0])
    }
    const usual = "## 1.0.0 (2021-01-05)"
    expect(answers).toEqual(["## 1.0.0 (other)", "## 1.0.0 (other)", usual, usual, usual, usual])
    const bad = await project.get({ ...asked, config_file: "docs/bad.yml" })
    expect([bad.status, bad.body]).toEqual(failed("docs/bad.yml does not contain valid YAML"))
  })

  it.each(["/docs/changes.yml", "../changes.yml", "docs/./changes.yml", ".git/config", "docs/.GIT/config", "a/".repeat(3000)])(
    "is not looked for where no file can be: %#",
    async (config_file) => {
      const project = await newProject()
      const refusal = [400, { error: "config_file should be a valid file path" }]
      expect(answerOf(await project.get({ ...asked, config_file }))).toEqual(refusal)
      expect(answerOf(await project.post({ ...asked, config_file }))).toEqual(refusal)
      expect(project.git(["for-each-ref"])).toBe("")
    }
  )

  const syntax = "Failed to parse the template: Extra input after last repetition at line 1 char 1."
  it.each([
    ["a: [", `${configPath} does not contain valid YAML`],
    ["a: &x 1\nb: *x\n", `${configPath} does not contain valid YAML`],
    ["a: 2021-01-01 10:00:00\n", `${configPath} does not contain valid YAML`],
    ["- a\n", `${configPath} must contain a Hash`],
    ["5\n", `${configPath} must contain a Hash`],
    ["categories: [a]\n", 'The "categories" configuration key must be a Hash'],
    ["template: '{% end %}'\n", syntax],
    ["template: '{{ a-b }}'\n", syntax],
    [`template: '${loops(5, "x")}'\n`, "You can only nest up to 4 loops"]
  ])("of %j fails as it should", async (config, reason) => {
    const project = await projectWith([{ mark: "a", message: changed("A") }], config)
    const { body, status } = await project.get(asked)
    expect([status, body]).toEqual(failed(reason))
  })

  it.each([
    ["four", loops(4, "x")],
    ["a fifth that is not reached", loops(4, "{% if missing %}{% each it %}x{% end %}{% end %}{% each missing %}x{% end %}")]
  ])("nests %s loops", async (_, template) => {
    const project = await projectWith([{ mark: "a", message: changed("A") }], `template: '${template}'\n`)
    expect((await project.get(asked)).status).toBe(200)
  })

  it("with a bad expression fails only when tags are looked for", async () => {
    const project = await projectWith([{ mark: "a" }], "tag_regex: '('\n")
    const without = await project.get({ version })
    expect(without.body).toEqual({
      message: expect.stringMatching(
        /^Failed to generate the changelog: The regular expression to use for finding the previous tag for a version is invalid: ./
      )
    })
    expect([without.status, (await project.get(asked)).status]).toEqual([422, 200])
    const lookAhead = await projectWith([{ mark: "a" }], "tag_regex: '(?=a)'\n")
    expect((await lookAhead.get({ version })).status).toBe(422)
  })
})

afterAll(() => {
  expect(service.log.filter(({ status }) => status >= 500)).toEqual([])
})
