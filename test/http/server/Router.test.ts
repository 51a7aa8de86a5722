import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { noContent } from "#src/http/answer/Reply.ts"
import { endpoint, route } from "#src/http/Endpoint.ts"
import { makeRouter } from "#src/http/server/Router.ts"

const made = (name: string, path: `/${string}`, more: { patterns?: Record<string, RegExp>; keepsFormat?: true } = {}) =>
  route(
    endpoint({
      name,
      area: "clusters",
      method: "GET",
      path,
      summary: name,
      access: "anyone",
      parameters: {},
      success: { status: 204 },
      ...more
    }),
    () => Effect.succeed(noContent)
  )

const router = makeRouter(
  [
    made("user", "/users/:id", { patterns: { id: /\d{1,15}/ } }),
    made("project", "/projects/:id"),
    made("file", "/projects/:id/files/:file_path", { keepsFormat: true }),
    made("raw", "/projects/:id/files/:file_path/raw"),
    made("archive", "/projects/:id/archive", { keepsFormat: true }),
    made("archive.format", "/projects/:id/archive.:format", { keepsFormat: true, patterns: { format: /zip|tar\.gz/ } })
  ],
  "/api/v4"
)

const found = (path: string) => {
  const match = router.find("GET", `/api/v4${path}`)
  return match && [match.route.endpoint.name, match.path]
}

describe("a path finds its endpoint", () => {
  it.each([
    ["/users/7", ["user", { id: "7" }]],
    ["/users/7.json", ["user", { id: "7" }]],
    ["/users/ann", undefined],
    ["/users/7a", undefined],
    ["/users/1234567890123456", undefined],
    ["/projects/group%2Fsub%2Fproject", ["project", { id: "group/sub/project" }]],
    ["/projects/with.dots", ["project", { id: "with.dots" }]],
    ["/projects/7.json", ["project", { id: "7" }]],
    ["/projects/7/files/package.json", ["file", { id: "7", file_path: "package.json" }]],
    ["/projects/7/files/a%2Fb.json/raw", ["raw", { id: "7", file_path: "a/b.json" }]],
    ["/projects/7/archive", ["archive", { id: "7" }]],
    ["/projects/7/archive.zip", ["archive.format", { id: "7", format: "zip" }]],
    ["/projects/7/archive.tar.gz", ["archive.format", { id: "7", format: "tar.gz" }]],
    ["/projects/7/archive.rar", undefined],
    ["/projects/7/archive.json", undefined]
  ])("%s", (path, expected) => {
    expect(found(path)).toEqual(expected)
  })
})
