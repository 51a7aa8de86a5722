import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { nistp256, rsa } from "#test/keys/keySamples.ts"
import { field } from "#test/support/exactly.ts"
import { type Sent, useService } from "#test/support/service.ts"

/** The kinds of the names by whose reservations something was fenced, in the order of the appends. */
const fenced: Array<string> = []

const noting = Layer.effect(
  EventStore,
  Effect.map(EventStore, (store) =>
    EventStore.of({
      ...store,
      append: (stream, expected, events, options) => {
        for (const fence of options?.fences ?? []) {
          const [, kind] = /^reservation-(.+?)-[0-9a-f]{8}-[0-9a-f-]{27}$/.exec(fence.stream) ?? []
          if (kind !== undefined && !stream.startsWith("reservation-")) fenced.push(`${stream.replace(/-.*/, "")}: ${kind}`)
        }
        return store.append(stream, expected, events, options)
      }
    })
  )
)

const service = useService({}, { log: noting, client: (client) => client })
const { request } = service

/** The kinds of names that fence what the request appends. */
const fencesOf = async (method: "POST" | "PUT", path: string, sent: Sent) => {
  fenced.length = 0
  const { body, status } = await request(method, path, sent)
  expect(status, JSON.stringify(body)).toBeOneOf([200, 201, 202])
  return { body, kinds: [...new Set(fenced)] }
}
const post = (path: string, json: object) => fencesOf("POST", path, { json })
const put = (path: string, json: object) => fencesOf("PUT", path, { json })

const idIn = (body: unknown, name = "id") => String(field(body, name) ?? expect.unreachable(JSON.stringify(body)))

describe("whoever gives a name is fenced by its reservation", () => {
  it("of users", async () => {
    const user = { name: "Ada", username: "ada", email: "ada@example.com", force_random_password: true }
    const { body, kinds } = await post("/users", { ...user, provider: "ldap", extern_uid: "1" })
    expect(kinds).toEqual(["user: email", "user: namespace", "user: identity"])
    const path = `/users/${idIn(body)}`
    expect((await put(path, { username: "lovelace" })).kinds).toEqual(["user: namespace"])
    // Another update may give away what the user has.
    expect((await put(path, { username: "lovelace", name: "A" })).kinds).toEqual(["user: namespace"])
    expect((await put(path, { email: "lovelace@example.com" })).kinds).toEqual(["user: email"])
  })

  it("of groups and projects", async () => {
    const group = await post("/groups", { name: "Tools", path: "tools" })
    expect(group.kinds).toEqual(["group: namespace"])
    const groupPath = `/groups/${idIn(group.body)}`
    expect((await put(groupPath, { path: "tooling" })).kinds).toEqual(["group: namespace"])
    const above = { group_id: idIn((await post("/groups", { name: "Above", path: "above" })).body) }
    expect((await post(`${groupPath}/transfer`, above)).kinds).toEqual(["group: path"])
    const project = await post("/projects", { name: "demo" })
    expect(project.kinds).toEqual(["project: project-name", "project: path"])
    const path = `/projects/${idIn(project.body)}`
    expect((await put(path, { path: "demos" })).kinds).toEqual(["project: path"])
    const both = ["project: project-name", "project: path"]
    expect((await put(`${path}/transfer`, { namespace: above.group_id })).kinds).toEqual(both)
    expect((await post(`${path}/fork`, { path: "fork", name: "fork" })).kinds).toEqual(both)
  })

  it("of labels, milestones and merge requests", async () => {
    const made = await post("/projects", { name: "planned", initialize_with_readme: true, default_branch: "main" })
    const path = `/projects/${idIn(made.body)}`
    const label = await post(`${path}/labels`, { name: "bug", color: "#ff0000" })
    expect(label.kinds).toEqual(["label: label-title"])
    expect((await put(`${path}/labels/${idIn(label.body)}`, { new_name: "fault" })).kinds).toEqual(["label: label-title"])
    expect((await post(`${path}/issues`, { title: "A", labels: "new" })).kinds).toEqual(["label: label-title"])
    const milestone = await post(`${path}/milestones`, { title: "1.0" })
    expect(milestone.kinds).toEqual(["milestone: milestone-title"])
    const renamed = await put(`${path}/milestones/${idIn(milestone.body)}`, { title: "1.1" })
    expect(renamed.kinds).toEqual(["milestone: milestone-title"])
    for (const branch of ["topic", "release"]) await post(`${path}/repository/branches`, { branch, ref: "main" })
    const opened = await post(`${path}/merge_requests`, { title: "A", source_branch: "topic", target_branch: "main" })
    expect(opened.kinds).toEqual(["mergeRequest: merge-request"])
    const requestPath = `${path}/merge_requests/${idIn(opened.body, "iid")}`
    expect((await put(requestPath, { target_branch: "release" })).kinds).toEqual(["mergeRequest: merge-request"])
    await put(requestPath, { state_event: "close" })
    expect((await put(requestPath, { state_event: "reopen" })).kinds).toEqual(["mergeRequest: merge-request"])
    const head = idIn((await request("GET", `${path}/repository/commits/main`)).body)
    const status = await post(`${path}/statuses/${head}`, { state: "success", name: "outside" })
    expect(status.kinds).toEqual(["pipeline: external-pipeline"])
  })

  it("of clusters and keys", async () => {
    const kubernetes = { api_url: "https://k8s.example.com", token: "t" }
    const given = { name: "c", environment_scope: "a/*", platform_kubernetes_attributes: kubernetes }
    const cluster = await post("/admin/clusters/add", given)
    expect(cluster.kinds).toEqual(["cluster: cluster-environment-scope"])
    const moved = await put(`/admin/clusters/${idIn(cluster.body)}`, { environment_scope: "b/*" })
    expect(moved.kinds).toEqual(["cluster: cluster-environment-scope"])
    expect((await post("/user/keys", { title: "k", key: rsa.text })).kinds).toEqual(["key: ssh-key-fingerprint"])
    const deployKey = await post("/deploy_keys", { title: "k", key: nistp256.text })
    expect(deployKey.kinds).toEqual(["deployKey: ssh-key-fingerprint"])
  })
})
