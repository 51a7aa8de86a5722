import { expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { holdReadsOfProjects } from "#test/support/people/holdUsers.ts"
import { rootToken, useService } from "#test/support/service.ts"

const service = useService({ ANONYMOUS_REQUESTS: "3", USER_REQUESTS: "2" })

const writesPerUser = 16

/** What the metrics tell of the requests of this class. */
const told = async (kind: "anonymous" | "user" | "writes") =>
  (await service.request("GET", "/-/metrics")).body
    ?.toString()
    .split("\n")
    .flatMap((line) => /^chronoforge_work_(\w+)\{class="(\w+)"\} (\d+)$/.exec(line)?.slice(1) ?? [])
    .flatMap((word, index, words) => (word === kind ? [`${words[index - 1]} ${words[index + 1]}`] : []))

it("has places for some requests without a token at a time, and answers all others meanwhile", async () => {
  const release = await holdReadsOfProjects(service)
  // Two places are one address's share of three.
  const lists = Array.from({ length: 5 }, () => service.request("GET", "/projects", { token: null }))
  await expect.poll(() => told("anonymous")).toEqual(["running 2", "waiting 3", "refused_total 0"])
  const { status } = await service.request("GET", "/user", { token: rootToken })
  await release()
  expect([status, ...(await Promise.all(lists)).map((answer) => answer.status)]).toEqual([200, 200, 200, 200, 200, 200])
  await expect.poll(() => told("anonymous")).toEqual(["running 0", "waiting 0", "refused_total 0"])
})

it("has the same places for what git asks without a token", async () => {
  const release = await holdReadsOfProjects(service)
  const asked = Array.from({ length: 5 }, () =>
    fetch(`${service.url}/root/nothing.git/info/refs?service=git-upload-pack`).then(({ status }) => status)
  )
  await expect.poll(() => told("anonymous")).toEqual(["running 2", "waiting 3", "refused_total 0"])
  await release()
  expect(await Promise.all(asked)).toEqual([401, 401, 401, 401, 401])
  await expect.poll(() => told("anonymous")).toEqual(["running 0", "waiting 0", "refused_total 0"])
})

it("has places for some reads of a user at a time, and answers other users meanwhile", async () => {
  const other = await service.request("POST", "/users", {
    json: { name: "Other", username: "other", email: "other@example.com", password: "a long passphrase" }
  })
  const { body } = await service.request("POST", `/users/${field(other.body, "id")}/personal_access_tokens`, {
    json: { name: "t", scopes: ["api"] }
  })
  const release = await holdReadsOfProjects(service)
  const lists = Array.from({ length: 3 }, () => service.request("GET", "/projects"))
  await expect.poll(() => told("user")).toEqual(["running 2", "waiting 1", "refused_total 0"])
  const { status } = await service.request("GET", "/user", { token: String(field(body, "token")) })
  await release()
  expect([status, ...(await Promise.all(lists)).map((answer) => answer.status)]).toEqual([200, 200, 200, 200])
  await expect.poll(() => told("user")).toEqual(["running 0", "waiting 0", "refused_total 0"])
})

it("has places for some writes of a user at a time, and does all of them", async () => {
  const release = await holdReadsOfProjects(service)
  const create = (name: string, headers = {}) => service.request("POST", "/projects", { json: { name }, headers })
  // A key is claimed before there is a place: all have claimed theirs while the reads that are held leave connections for that.
  const keyed = Array.from({ length: 4 }, (_, index) => create(`keyed-${index}`, { "idempotency-key": `held-${index}` }))
  await expect.poll(() => told("writes")).toEqual(["running 4", "waiting 0", "refused_total 0"])
  const others = Array.from({ length: writesPerUser - 2 }, (_, index) => create(`other-${index}`))
  await expect.poll(() => told("writes")).toEqual([`running ${writesPerUser}`, "waiting 2", "refused_total 0"])
  await release()
  const made = await Promise.all([...keyed, ...others])
  expect(made.map(({ status }) => status)).toEqual(Array(writesPerUser + 2).fill(201))
  await expect.poll(() => told("writes")).toEqual(["running 0", "waiting 0", "refused_total 0"])
})
