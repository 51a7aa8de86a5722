import { GitbeakerRequestError, Gitlab } from "@gitbeaker/rest"
import { expect, it } from "vitest"
import { rootToken, useService } from "#test/support/service.ts"
import { useStandardCode } from "./useCode.ts"

const service = useService()
const code = useStandardCode(service)
const repositories = () => new Gitlab({ host: service.url, token: rootToken }).Repositories

const listed = (ref: string) => code().fixture.git(["ls-tree", "--name-only", "-z", ref]).split("\0").filter(Boolean).sort()

it("follows trees page by page", async () => {
  const names = async (options: object) =>
    (await repositories().allRepositoryTrees(code().id, { ref: "main", ...options })).map(({ name }) => name).sort()
  expect(await names({ pagination: "keyset", perPage: 3 })).toEqual(listed("refs/heads/main"))
  expect(await names({ perPage: 3 })).toEqual(listed("refs/heads/main"))
  expect(await names({ pagination: "legacy", perPage: 3 })).toEqual(listed("refs/heads/main"))
  expect(await names({ perPage: 3, page: 2, maxPages: 1 })).toHaveLength(3)
})

it("reads trees by the project's path", async () => {
  const entries = await repositories().allRepositoryTrees("root/standard", { path: "src", recursive: true })
  expect(entries.map(({ path }) => path)).toEqual([
    "src/lib",
    "src/lib/deep",
    "src/lib/deep/er",
    "src/lib/deep/er/file.txt",
    "src/main.ts"
  ])
})

it("reads blobs", async () => {
  const sha = code().fixture.git(["rev-parse", "refs/heads/main:README.md"])
  expect(await repositories().showBlob(code().id, sha)).toMatchObject({ sha, encoding: "base64", size: 16 })
  const raw = await repositories().showBlobRaw(code().id, sha)
  expect(raw instanceof Blob ? await raw.text() : raw).toBe("# Read me\n\nMore\n")
})

it("downloads archives", async () => {
  const options = { sha: "v1.0.0", path: "docs" }
  const zip = await repositories().showArchive(code().id, { fileType: "zip", ...options })
  const text = Buffer.from(await zip.arrayBuffer()).toString("latin1")
  expect([text.slice(0, 2), text.includes("docs/guide.md")]).toEqual(["PK", true])
  expect((await repositories().showArchive(code().id, options)).size).toBeGreaterThan(100)
})

it("compares, counts and finds what is common", async () => {
  const { fifth, second, topicA, topicB } = code().fixture.ids
  const comparison = await repositories().compare(code().id, fifth, "feature/topic", { straight: false })
  expect(comparison.commits?.map(({ id }) => id)).toEqual([topicA, topicB])
  expect(await repositories().mergeBase(code().id, [fifth, "feature/topic"])).toMatchObject({ id: second })
  const contributors = await repositories().allContributors(code().id, { orderBy: "commits", sort: "desc" })
  expect(contributors[0]).toMatchObject({ email: "ann@example.com" })
})

it("is told what is wrong", async () => {
  const error = await repositories()
    .mergeBase(code().id, ["main", "nowhere"])
    .catch((reason: unknown) => reason)
  expect(error instanceof GitbeakerRequestError && [error.cause?.response.status, error.message]).toEqual([
    400,
    "Could not find ref: nowhere"
  ])
})
