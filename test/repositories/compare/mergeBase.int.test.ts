import { describe, expect, it } from "vitest"
import { expectExactly } from "#test/support/exactly.ts"
import { useService } from "#test/support/service.ts"
import { useEmptyCode, useStandardCode } from "../useCode.ts"

const externalUrl = "https://forge.example.com"
const service = useService({ EXTERNAL_URL: externalUrl })
const code = useStandardCode(service)
const other = useEmptyCode(service, { path: "other" })

const pairs = (refs: ReadonlyArray<string>) => refs.map((ref) => ["refs[]", ref] as const)
const mergeBase = (query: ReadonlyArray<readonly [string, string]>, id = code().id) =>
  service.request("GET", `/projects/${id}/repository/merge_base`, { query })

it("is a commit in full", async () => {
  const { ids } = code().fixture
  const { body, status } = await mergeBase(pairs(["main", "feature/topic"]))
  expect(status).toBe(200)
  expectExactly(body, {
    id: ids.topicB,
    short_id: ids.topicB.slice(0, 8),
    created_at: "2023-11-15T00:19:20.000+02:00",
    parent_ids: [ids.topicA],
    title: "topicB",
    message: "topicB",
    author_name: "Ann Author",
    author_email: "ann@example.com",
    authored_date: "2023-11-15T00:19:20.000+02:00",
    committer_name: "Carl Committer",
    committer_email: "carl@example.com",
    committed_date: "2023-11-15T00:19:20.000+02:00",
    trailers: {},
    extended_trailers: {},
    web_url: `${externalUrl}/root/standard/-/commit/${ids.topicB}`
  })
})

it("has its trailers: the last value of each, and all", async () => {
  const { third } = code().fixture.ids
  const { body } = await mergeBase(pairs([third, "main"]))
  const trailers = { Changelog: "changed", "Signed-off-by": "Carl <c@example.com>" }
  const extended_trailers = {
    Changelog: ["changed"],
    "Signed-off-by": ["Ann Author <ann@example.com>", "Carl <c@example.com>"]
  }
  expect(body).toMatchObject({ id: third, title: "Rename things", trailers, extended_trailers })
})

it("keeps the offset of author and committer, and says what a blank message is", async () => {
  const { orphan, topicA } = code().fixture.ids
  expect((await mergeBase(pairs([topicA, "feature/topic"]))).body).toMatchObject({
    title: "Topic, part one",
    message: "Topic, part one\n\nSecond paragraph\n\nThird\n",
    author_name: "Zoë Ünal",
    authored_date: "2023-07-22T00:56:40.000-03:30"
  })
  expect((await mergeBase(pairs([orphan, "latin"]))).body).toMatchObject({ title: "No commit message", message: "" })
  const { commits } = other().fixture
  const person = { name: "U", email: "u@example.com", seconds: 1_700_000_000, offset: "+0000" }
  commits([{ mark: "utc", author: person, committer: person }])
  expect((await mergeBase(pairs(["main", "main"]), other().id)).body).toMatchObject({
    created_at: "2023-11-14T22:13:20.000+00:00"
  })
})

it.each([
  ["branches", ["main", "both"]],
  ["tags", ["v1.0.0", "v1.1.0"]],
  ["ids", [":first", ":head"]],
  ["three: the first against a merge of the others", ["main", "feature/topic", "cross/left"]],
  ["an order", ["cross/left", "feature/topic", "main"]],
  ["the same twice", ["main", "main"]],
  ["several bases: the first one", ["cross/left", "cross/right"]]
])("of %s is that of git", async (_, refs) => {
  const { git, ids } = code().fixture
  const named = refs.map((ref) => (ref === ":first" ? ids.first : ref === ":head" ? ids.head : ref))
  const commits = named.map((ref) => (ref === "main" ? "refs/heads/main" : ref))
  expect((await mergeBase(pairs(named))).body).toMatchObject({ id: git(["merge-base", ...commits]) })
})

it("takes names with commas between", async () => {
  const { topicB } = code().fixture.ids
  expect((await mergeBase([["refs", "main,feature/topic"]])).body).toMatchObject({ id: topicB })
  expect((await mergeBase([["refs", "main"]])).body).toEqual({ message: "Provide at least 2 refs" })
})

describe("refusals", () => {
  it.each([
    ["no refs", [], 400, { error: "refs is missing" }],
    ["one ref", pairs(["main"]), 400, { message: "Provide at least 2 refs" }],
    ["an empty list", [["refs", ""]], 400, { message: "Provide at least 2 refs" }],
    ["an unknown ref", pairs(["main", "missing"]), 400, { message: "Could not find ref: missing" }],
    ["unknown refs", pairs(["a", "main", "b"]), 400, { message: "Could not find refs: a, b" }],
    ["an unknown ref named twice", pairs(["a", "main", "a"]), 400, { message: "Could not find ref: a" }],
    ["nothing in common", pairs(["main", "orphan"]), 404, { message: "404 Merge Base Not Found" }],
    ["an object", [["refs[x]", "main"]], 400, { error: "refs is invalid" }]
  ] as const)("%s", async (_, query, status, body) => {
    const received = await mergeBase(query)
    expect([received.status, received.body]).toEqual([status, body])
  })

  it("more than a thousand", async () => {
    const received = await service.request("GET", `/projects/${code().id}/repository/merge_base`, {
      query: { refs: Array.from({ length: 1001 }, () => "a").join(",") }
    })
    expect([received.status, received.body]).toEqual([400, { message: "Provide at most 1000 refs" }])
  })
})
