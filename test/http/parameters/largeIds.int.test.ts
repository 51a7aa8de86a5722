import { beforeAll, describe, expect, it } from "vitest"
import { routes } from "#src/composition.ts"
import type { Endpoint } from "#src/http/Endpoint.ts"
import { answerOf, useService } from "#test/support/service.ts"

const service = useService()

beforeAll(async () => {
  const answers = [
    await service.request("POST", "/projects", { json: { path: "project" } }),
    await service.request("POST", "/groups", { json: { name: "group", path: "group" } })
  ]
  expect(answers).toMatchObject([
    { status: 201, body: { id: 1 } },
    { status: 201, body: { id: 2 } }
  ])
})

const isId = (name: string): boolean => /^(?:.*_)?id$/.test(name)

/** The path with an id in the place of `name`; all others are of what exists. */
const pathWith = ({ path }: Endpoint, name: string, id: string): string =>
  path.replace(/:(\w+)/g, (_, each: string) => {
    if (each === name) return id
    return path.startsWith("/groups") && each === "id" ? "2" : "1"
  })

const needsParameters = ({ groups = [], parameters, path }: Endpoint): boolean =>
  groups.length > 0 || Object.entries(parameters).some(([name, { required }]) => required === true && !path.includes(`:${name}`))

const rows = routes.flatMap(({ endpoint }) =>
  [...endpoint.path.matchAll(/:(\w+)/g)]
    .map(([, name = ""]) => name)
    .filter(isId)
    .map((name) => ({ endpoint, name, asked: `${endpoint.method} ${endpoint.path}` }))
)

// 2^31, 2^53 + 1, 2^63 and more than a double holds.
const large = ["2147483648", "9007199254740993", "9223372036854775808", "9".repeat(400)]

it.each(rows)("$asked: a large $name is of nothing", async ({ endpoint, name }) => {
  const answers = await Promise.all(
    ["4000", ...large].map((id) => service.request(endpoint.method, pathWith(endpoint, name, id)).then(answerOf))
  )
  const [expected] = answers
  expect(answers).toEqual(answers.map(() => expected))
  if (!needsParameters(endpoint)) expect(expected).toEqual([404, expect.anything()])
})

describe("a large id in a query or body", () => {
  it.each<[method: string, path: string, name: string, more: Readonly<Record<string, string>>]>([
    ["POST", "/projects/1/share", "group_id", { group_access: "30" }],
    ["POST", "/groups/2/share", "group_id", { group_access: "30" }],
    ["POST", "/groups/2/transfer", "group_id", {}],
    ["POST", "/projects", "namespace_id", { name: "x" }],
    ["POST", "/projects/1/fork", "namespace_id", {}],
    ["POST", "/groups", "parent_id", { name: "x", path: "x" }],
    ["GET", "/personal_access_tokens", "user_id", {}],
    ["GET", "/projects", "id_after", {}],
    ["GET", "/groups", "skip_groups", {}],
    ["GET", "/projects/1/members", "user_ids", {}]
  ])("%s %s: %s is of nothing", async (method, path, name, more) => {
    const sentWith = (id: string) => (method === "GET" ? { query: { ...more, [name]: id } } : { form: { ...more, [name]: id } })
    const ask = async (id: string) => answerOf(await service.request(method, path, sentWith(id)))
    const expected = await ask("4000")
    for (const id of large.slice(1)) expect(await ask(id)).toEqual(expected)
  })
})
