import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { anyId, field } from "#test/support/exactly.ts"
import { useImports } from "./useImports.ts"
import { credentials, useRemote } from "./useRemote.ts"

const { addMember, create, events, importing, newUser, read, service } = useImports()
const remote = useRemote()

const shown = ({ body }: { readonly body: unknown }) =>
  ["import_url", "import_type", "import_status", "import_error"].map((name) => field(body, name))
const idOf = ({ body }: { readonly body: unknown }) => Number(field(body, "id"))
const commits = (name: string) => remote.create(name).commits([{ mark: "one", files: { "README.md": "# One\n" } }])

describe("POST /projects with import_url", () => {
  it("answers at once, and the repository comes later", async () => {
    commits("private/demo")
    const url = new URL(`${remote.url}/private/demo.git`)
    const bare = url.href
    url.username = credentials.user
    url.password = encodeURIComponent(credentials.password)
    const created = await create({ form: { name: "demo", import_url: url.href } })
    expect([created.status, shown(created), field(created.body, "empty_repo")]).toEqual([
      201,
      [bare, "git", "scheduled", null],
      true
    ])
    const id = idOf(created)
    await importing(id)
    const after = await read(id)
    expect([shown(after), field(after.body, "empty_repo")]).toEqual([[bare, "git", "finished", null], false])
    const [scheduled] = await service.run(EventStore.use((store) => store.read(`import-${id}`)))
    expect(scheduled?.metadata.actor).toBe("user:1")
  })

  it("shows why it failed to those who administer the project, and to others only that it did", async () => {
    commits("gone")
    const created = await create({ json: { name: "gone", visibility: "internal", import_url: `${remote.url}/gone.git` } })
    const id = idOf(created)
    const release = remote.hold()
    release()
    const { git } = remote.create("gone")
    git(["config", "http.uploadpack", "false"])
    await importing(id)
    expect(shown(await read(id))).toEqual([
      `${remote.url}/gone.git`,
      "git",
      "failed",
      "The server denied access to the repository"
    ])
    const { id: userId, token } = await newUser("reader")
    await addMember(`/projects/${id}`, userId, 20)
    expect(shown(await read(id, { token }))).toEqual([undefined, undefined, "failed", undefined])
    const list = await service.request("GET", "/projects", { query: { search: "gone" } })
    expect(list.body).toMatchObject([{ import_status: "failed" }])
  })

  it.each([
    ["ftp://example.com/a.git", "The import URL must begin with http:// or https://"],
    ["https://u:hunter2@example.com/a.git?x=1", "The import URL must not have a query or a fragment"],
    ["http://127.0.0.1:1031/a.git", "The server could not be reached"],
    ["http://name.invalid/a.git", "The host of the import URL has no address"]
  ])("%s: 422 %s", async (address, message) => {
    const before = await service.request("GET", "/projects", { query: { search: "refused" } })
    const { body, status } = await create({ json: { name: "refused", import_url: address } })
    expect([status, body]).toEqual([422, { message }])
    expect((await service.request("GET", "/projects", { query: { search: "refused" } })).body).toEqual(before.body)
  })

  it("a blank one is none", async () => {
    const created = await create({ json: { name: "blank", import_url: "" } })
    expect([created.status, shown(created)]).toEqual([201, [null, null, "none", null]])
  })

  it("repeated with the same key, imports once", async () => {
    commits("repeated")
    const sent = {
      json: { name: "repeated", import_url: `${remote.url}/repeated.git` },
      headers: { "idempotency-key": "import-once" }
    }
    const first = await create(sent)
    const second = await create(sent)
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect(await events(idOf(first))).toHaveLength(1)
  })

  it("an administrator can import for a user", async () => {
    commits("given")
    const { id } = await newUser("receiver")
    const created = await service.request("POST", `/projects/user/${id}`, {
      json: { name: "given", import_url: `${remote.url}/given.git` }
    })
    expect([created.status, created.body]).toMatchObject([201, { id: anyId, import_status: "scheduled" }])
    expect(await importing(idOf(created))).toMatchObject({ status: "finished" })
  })

  it("is not logged with its credentials when it is in the query", async () => {
    await service.request("POST", "/projects", { query: { name: "logged", import_url: "https://u:hunter2@name.invalid/a" } })
    const line = service.log.at(-1)
    const { jsonFormat } = await import("#src/platform/logging/logLine.ts")
    expect(line === undefined ? "" : jsonFormat.request(line, new Date())).toContain("import_url=[REDACTED]")
  })
})

it("nothing of all this tells a password in the log of events", async () => {
  const all = await service.run(
    Effect.map(
      EventStore.use((store) => store.readAll(0, 10_000)),
      (read) => JSON.stringify(read)
    )
  )
  expect([all.includes("s3cret"), all.includes("hunter2")]).toEqual([false, false])
})
