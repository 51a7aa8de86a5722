import { assert, describe, it } from "vitest"
import { bareEd25519, ed25519, otherEd25519 } from "#test/keys/keySamples.ts"
import { useInstallation } from "./useInstallation.ts"

const { request, run, sql } = useInstallation()

const timesRemoved = (text: string): string =>
  text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>").replaceAll(/ {2}request \S+/g, "  request <id>")

describe("history", () => {
  it("shows who did what and when, without secrets", async () => {
    const created = await request("POST", "/users/1/personal_access_tokens", {
      json: { name: "laptop", scopes: ["read_api"], expires_at: null }
    })
    assert.strictEqual(created.status, 201)
    const { code, stderr, stdout } = await run("history", "token", "2")
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.match(
      timesRemoved(stdout),
      /^<time> {2}0 {2}TokenIssued {2}user:1 @root {2}request <id>\n {4}user_id: @root\n {4}name: "laptop"\n/
    )
    assert.match(stdout, /^ {4}digest: "\[digest\]"$/m)
  })

  it("shows texts that look like digests and sealed texts", async () => {
    const [hex, long] = ["0123456789abcdef".repeat(4), `AbstractConfigurationFactory_${"x".repeat(30)}`]
    await request("POST", "/users/1/personal_access_tokens", { json: { name: hex, scopes: ["api"], expires_at: null } })
    await request("POST", "/users/1/personal_access_tokens", { json: { name: long, scopes: ["api"], expires_at: null } })
    const namesOf = async (...words: ReadonlyArray<string>) => {
      const { stdout } = await run("history", ...words)
      return [...stdout.matchAll(/"?(name|digest)"?: ?("[^"]*")/g)].map(([, name, value]) => `${name}: ${value}`)
    }
    assert.deepStrictEqual(
      [await namesOf("token", "3"), await namesOf("--json", "token", "4")],
      [
        [`name: "${hex}"`, 'digest: "[digest]"'],
        [`name: "${long}"`, 'digest: "[digest]"']
      ]
    )
  })

  it("prints one JSON object a line", async () => {
    const { code, stdout } = await run("history", "--json", "user", "root")
    const [line = ""] = stdout.split("\n")
    const [[at, id, hash] = []] = await sql(
      "select at, id::text, encode(hash, 'hex') from chronoforge.events where stream = 'user-1' and revision = 0"
    )
    const { data, ...event } = JSON.parse(line)
    assert.strictEqual(code, 0)
    assert.deepStrictEqual(event, {
      stream: "user-1",
      revision: 0,
      position: event.position,
      id,
      type: "UserCreated",
      at: new Date(Number(at)).toISOString(),
      occurred_at: null,
      actor: "system:bootstrap",
      on_behalf_of: null,
      request_id: null,
      command_id: "create-first-administrator",
      correlation_id: "system:bootstrap",
      causation_id: null,
      hash
    })
    assert.strictEqual(data.username, "root")
  })

  it("says that a stream does not exist, and names similar ones", async () => {
    const { code, stderr, stdout } = await run("history", "users-1")
    assert.deepStrictEqual(
      [code, stdout, stderr.trim()],
      [1, "", "ERROR\n  There is no stream users-1, did you mean user-1?\n  Help: npx chronoforge history --help"]
    )
  })

  it("finds groups, projects with their repositories, clusters and keys by what they are called", async () => {
    const made = [
      await request("POST", "/groups", { json: { name: "All tools", path: "tools" } }),
      await request("POST", "/projects", { json: { name: "demo", namespace_id: 2, initialize_with_readme: true } }),
      await request("POST", "/admin/clusters/add", {
        json: { name: "my staging", platform_kubernetes_attributes: { api_url: "https://k8s.example.com", token: "t" } }
      }),
      await request("POST", "/user/keys", { json: { title: "laptop", key: ed25519.text } }),
      await request("POST", "/deploy_keys", { json: { title: "robot", key: otherEd25519.text } }),
      await request("POST", "/deploy_keys", { json: { title: "laptop", key: bareEd25519.text } })
    ]
    assert.deepStrictEqual(
      made.map(({ status }) => status),
      made.map(() => 201)
    )
    const streamsOf = async (...words: ReadonlyArray<string>) => {
      const { stdout } = await run("history", "--json", ...words)
      return [
        ...new Set(
          stdout
            .split("\n")
            .filter(Boolean)
            .map((line) => JSON.parse(line).stream)
        )
      ]
    }
    assert.deepStrictEqual(await streamsOf("group", "Tools"), ["group-2"])
    assert.deepStrictEqual(await streamsOf("group", "All", "tools"), ["group-2"])
    assert.deepStrictEqual(await streamsOf("project", "tools/demo"), ["project-1"])
    assert.deepStrictEqual(await streamsOf("project", "demo"), ["project-1"])
    assert.deepStrictEqual(await streamsOf("repository", "tools/demo"), ["repository-1"])
    assert.deepStrictEqual(await streamsOf("cluster", "my", "staging"), ["cluster-1"])
    assert.deepStrictEqual(await streamsOf("key", "robot"), ["deployKey-2"])
    assert.deepStrictEqual(await streamsOf("key", `SHA256:${ed25519.fingerprintSha256}`), ["key-1"])
    const { code, stderr } = await run("history", "key", "laptop")
    assert.deepStrictEqual([code, stderr.trim()], [1, "ERROR\n  There is more than one key laptop: key-1, deployKey-3"])
  })

  it("finds users, groups, projects and merge requests by what they were called, also where they are gone", async () => {
    const idOf = ({ body }: { readonly body: unknown }) => Number(Object(body).id)
    const make = async (path: string, json: object) => idOf(await request("POST", path, { json }))
    const group = await make("/groups", { name: "Old", path: "old" })
    const project = await make("/projects", { name: "demo", namespace_id: group, initialize_with_readme: true })
    const own = await make("/projects", { name: "own" })
    await request("POST", `/projects/${project}/repository/branches`, { json: { branch: "topic", ref: "main" } })
    await make(`/projects/${project}/merge_requests`, { title: "A", source_branch: "topic", target_branch: "main" })
    const user = await make("/users", { username: "bob", name: "Bob", email: "bob@example.com", force_random_password: true })
    await request("PUT", `/users/${user}`, { json: { username: "bobby" } })
    await request("DELETE", `/projects/${own}`)
    await request("DELETE", `/groups/${group}`)
    const streamOf = async (...words: ReadonlyArray<string>) => {
      const { stdout } = await run("history", "--json", ...words)
      return JSON.parse(stdout.split("\n")[0] ?? "").stream
    }
    assert.deepStrictEqual(
      [
        await streamOf("user", "bob"),
        await streamOf("group", "Old"),
        await streamOf("project", "root/own"),
        await streamOf("project", "old/demo"),
        await streamOf("repository", "old/demo"),
        await streamOf("merge-request", "old/demo!1")
      ],
      [
        `user-${user}`,
        `group-${group}`,
        `project-${own}`,
        `project-${project}`,
        `repository-${project}`,
        `mergeRequest-${project}-1`
      ]
    )
  })

  it("asks for a name behind a word that needs one", async () => {
    const { code, stderr, stdout } = await run("history", "group")
    const text = "ERROR\n  Which group? Name it behind the word: npx chronoforge history group <ID or name>"
    assert.deepStrictEqual([code, stdout, stderr.trim()], [2, "", text])
  })

  it("says in the words of the command what does not exist", async () => {
    for (const words of [
      ["user", "nobody"],
      ["user", "99"],
      ["token", "99"],
      ["schedule", "99"]
    ]) {
      const { code, stderr } = await run("history", ...words)
      assert.deepStrictEqual([code, stderr.trim()], [1, `ERROR\n  There is no ${words.join(" ")}`])
    }
  })
})
