import { describe, expect, it } from "vitest"
import { archiveFormat } from "#src/git/archive/names.ts"
import { leavesOf, unpack } from "#test/support/git/unpack.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { rawRequest } from "#test/support/requests/rawRequest.ts"
import { type Sent, useService } from "#test/support/service.ts"
import { startMinute } from "../commits/startMinute.ts"
import { createProject, useEmptyCode, useStandardCode } from "../useCode.ts"

const service = useService()
const code = useStandardCode(service, { path: "path.with.dot" })
const empty = useEmptyCode(service, { path: "empty" })

interface Download {
  readonly status: number
  readonly headers: Headers
  readonly content: Buffer
}
type ArchiveRequest = Pick<Sent, "headers"> & { readonly query?: Readonly<Record<string, string>>; readonly method?: string }

const download = async (
  suffix = "",
  { headers = {}, method = "GET", query = {} }: ArchiveRequest = {},
  id: number | string = code().id
): Promise<Download> => {
  const url = `${service.url}/api/v4/projects/${id}/repository/archive${suffix}?${new URLSearchParams(query)}`
  const response = await fetch(url, { method, headers })
  return { status: response.status, headers: response.headers, content: Buffer.from(await response.arrayBuffer()) }
}
const json = ({ content }: Download): unknown => JSON.parse(content.toString("utf8"))
const fileName = ({ headers }: Download) => /^attachment; filename="([^"]*)"$/.exec(headers.get("content-disposition") ?? "")?.[1]

/** Files of an archive, and directories in which nothing is. */
const names = async (content: Buffer, extension: string): Promise<ReadonlyArray<string>> => {
  const archive = await unpack(archiveFormat(extension.slice(1)) ?? "tar", content)
  return leavesOf(archive)
    .map(({ path }) => path.replace(/\/$/, ""))
    .sort()
}
const listed = (ref: string, top: string, path = "") =>
  code()
    .fixture.git(["ls-tree", "-r", "--name-only", "-z", ref, ...(path === "" ? [] : [path])])
    .split("\0")
    .filter(Boolean)
    .map((name) => `${top}/${name}`)
    .sort()

/** A commit without large files. */
const small = { query: { sha: "v1.0.0" } }

describe("formats", () => {
  const gzip = [".tar.gz", "application/octet-stream"]
  const bzip2 = [".tar.bz2", "application/octet-stream"]
  it.each([
    ["", ...gzip],
    [".tar.gz", ...gzip],
    [".tgz", ...gzip],
    [".gz", ...gzip],
    [".tar.bz2", ...bzip2],
    [".tbz", ...bzip2],
    [".tbz2", ...bzip2],
    [".tb2", ...bzip2],
    [".bz2", ...bzip2],
    [".tar", ".tar", "application/octet-stream"],
    [".zip", ".zip", "application/zip"]
  ])("%s is made as %s", async (suffix, extension = "", type = "") => {
    const { second } = code().fixture.ids
    const top = `path.with.dot-v1.0.0-${second}`
    const received = await download(suffix, small)
    expect([received.status, received.headers.get("content-type"), fileName(received)]).toEqual([200, type, `${top}${extension}`])
    expect(await names(received.content, extension)).toEqual(listed("v1.0.0", top))
  })

  it.each([
    ["zip", ".zip"],
    ["tbz2", ".tar.bz2"],
    ["7z", ".tar.gz"],
    ["", ".tar.gz"]
  ])("the parameter %s is made as %s", async (format, extension) => {
    expect(fileName(await download("", { query: { ...small.query, format } }))).toMatch(
      new RegExp(`${extension.replaceAll(".", "\\.")}$`)
    )
  })

  it("the suffix wins over the parameter", async () => {
    expect(fileName(await download(".zip", { query: { ...small.query, format: "tar" } }))).toMatch(/\.zip$/)
  })

  it("of a project by its path, dots and all", async () => {
    for (const id of ["root%2Fpath.with.dot", "root%2Fpath%2Ewith%2Edot"]) {
      expect(fileName(await download(".tar.gz", small, id))).toMatch(/^path\.with\.dot-v1\.0\.0-[0-9a-f]{40}\.tar\.gz$/)
    }
  })

  it.each([".json", ".7z", ".rar", ".tar.xz", ".tarx", ".xtar", ".tar.", ".zip.gz", "zip"])(
    "%s is no address",
    async (suffix) => {
      const received = await download(suffix)
      expect([received.status, json(received)]).toEqual([404, { error: "404 Not Found" }])
    }
  )
})

describe("names and headers", () => {
  it.each([
    ["a branch with slashes", { sha: "feature/topic" }, "topicB", "feature-topic", ""],
    ["a tag", { sha: "v1.0.0" }, "second", "v1.0.0", ""],
    ["a full ref", { sha: "refs/heads/main" }, "head", "refs-heads-main", ""],
    ["a path", { path: "src/lib" }, "head", "main", "-src-lib"],
    ["a path with a slash at its end", { path: "src/lib/" }, "head", "main", "-src-lib-"],
    ["an empty path", { path: "" }, "head", "main", "-"],
    ["a file", { path: "README.md" }, "head", "main", "-README.md"]
  ] as const)("of %s", async (_, query, mark, ref, path) => {
    const sha = code().fixture.ids[mark]
    expect(fileName(await download(".tar", { query }))).toBe(`path.with.dot-${ref}-${sha}${path}.tar`)
  })

  it("of a commit have its id twice", async () => {
    const { fifth } = code().fixture.ids
    expect(fileName(await download(".tar", { query: { sha: fifth, path: "docs" } }))).toBe(
      `path.with.dot-${fifth}-${fifth}-docs.tar`
    )
    const short = fifth.slice(0, 9)
    expect(fileName(await download(".tar", { query: { sha: short, path: "docs" } }))).toBe(
      `path.with.dot-${short}-${fifth}-docs.tar`
    )
  })

  it("are these", async () => {
    const { headers } = await download(".zip", small)
    const named = ["content-transfer-encoding", "cache-control", "etag"]
    expect(named.map((name) => headers.get(name))).toEqual(["binary", "private", null])
    const head = await download(".zip", { ...small, method: "HEAD" })
    expect([head.status, head.content.length, fileName(head)]).toEqual([200, 0, fileName(await download(".zip", small))])
  })

  it("of odd names are given twice", async () => {
    const { git } = code().fixture
    const odd = git(["rev-parse", "refs/heads/odd"])
    const at = async (path: string) =>
      (await download(".tar", { query: { sha: "odd", path } })).headers.get("content-disposition")
    expect(await at(`quo"te's.txt`)).toBe(
      `attachment; filename="path.with.dot-odd-${odd}-quo_te's.txt.tar"; filename*=UTF-8''path.with.dot-odd-${odd}-quo%22te%27s.txt.tar`
    )
    expect(await at("new\nline.txt")).toContain(`new_line.txt.tar"; filename*=UTF-8''path.with.dot-odd-${odd}-new%0Aline.txt.tar`)
    expect(await at("\u{1f600} emoji")).toContain("%F0%9F%98%80%20emoji.tar")
  })
})

describe("content", () => {
  it("of a path keeps the whole path", async () => {
    const { head } = code().fixture.ids
    const received = await download(".tar", { query: { path: "src/lib" } })
    expect(await names(received.content, ".tar")).toEqual(
      listed("refs/heads/main", `path.with.dot-main-${head}-src-lib`, "src/lib")
    )
  })

  it("of an empty path is everything", async () => {
    const { head } = code().fixture.ids
    const received = await download(".tar", { query: { path: "" } })
    expect(await names(received.content, ".tar")).toEqual(listed("refs/heads/main", `path.with.dot-main-${head}-`))
  })

  it("has what attributes say, and says of which commit it is", async () => {
    const files = {
      ".gitattributes": "secret export-ignore\nversion export-subst\n",
      secret: "hidden\n",
      version: "$Format:%H %an$\n"
    }
    const { tip } = empty().fixture.commits([{ mark: "tip", ref: "refs/heads/attributes", parents: [], files }])
    for (const format of ["tar", "tar.gz", "tar.bz2", "zip"] as const) {
      const { content } = await download(`.${format}`, { query: { sha: "attributes" } }, empty().id)
      const { comment, entries } = await unpack(format, content)
      const top = `empty-attributes-${tip}/`
      expect([comment, entries.map((entry) => [entry.path, entry.content])]).toEqual([
        tip,
        [
          [top, ""],
          [`${top}.gitattributes`, files[".gitattributes"]],
          [`${top}version`, `${tip} Ann Author\n`]
        ]
      ])
    }
  })

  it("never leads out of its folder", async () => {
    const { git, object } = empty().fixture
    const blob = Buffer.from(object("blob", "owned\n"), "hex")
    const entry = (mode: string, name: string, id: Buffer) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), id])
    const inner = Buffer.from(object("tree", entry("100644", "owned", blob)), "hex")
    for (const tree of [
      entry("40000", "..", inner),
      entry("100644", "../owned", blob),
      entry("100644", "/owned", blob),
      entry("40000", ".git", inner)
    ]) {
      const commit = git(["commit-tree", "-m", "x", object("tree", tree)])
      const outcome = (suffix: string) =>
        download(suffix, { query: { sha: commit } }, empty().id).then(
          ({ status }) => status,
          () => "broken off"
        )
      // The first bytes of a zip file come before git has looked at names.
      expect([await outcome(".tar"), await outcome(".zip")]).toEqual([404, "broken off"])
    }
  })

  it("leaves out what is not asked for", async () => {
    const all = await names((await download(".tar")).content, ".tar")
    const received = await download(".tar", { query: { exclude_paths: "src, data/big.bin,nowhere", include_lfs_blobs: "false" } })
    expect(await names(received.content, ".tar")).toEqual(all.filter((name) => !/^[^/]+\/(src\/|data\/big\.bin$)/.test(name)))
  })

  it("takes paths as they are, not as patterns", async () => {
    const { odd } = code().fixture.ids
    const asked = { query: { sha: "odd", path: "star*[a].txt" } }
    const received = await download(".tar", asked)
    expect(await names(received.content, ".tar")).toEqual([`path.with.dot-odd-${odd}-star*[a].txt/star*[a].txt`])
    expect((await download(".tar", { query: { sha: "odd", path: "*" } })).status).toBe(404)
    expect((await download(".tar", { query: { sha: "odd", path: ":(top)magic" } })).status).toBe(200)
  })

  it("is the same for many at once", async () => {
    const received = await Promise.all(Array.from({ length: 12 }, () => download(".tar.gz", { query: { sha: "v1.1.0" } })))
    const [first] = received
    expect(received.every(({ content, status }) => status === 200 && first !== undefined && content.equals(first.content))).toBe(
      true
    )
  })
})

describe("refusals", () => {
  const noFile = { message: "404 File Not Found" }
  it.each([
    ["an unknown revision", { sha: "nowhere" }],
    ["an empty revision", { sha: "" }],
    ["a hidden ref", { sha: "refs/internal/keep" }],
    ["a tag of a file", { sha: "blob-tag" }],
    ["an unknown path", { path: "nowhere" }],
    ["a path from the root", { path: "/src" }],
    ["a path above", { path: "../.." }],
    ["a path through a directory above", { path: "src/../docs" }],
    ["a path through here", { path: "./src" }],
    ["a path of 5 KB", { path: "a/".repeat(2500) }]
  ])("%s", async (_, query) => {
    for (const suffix of ["", ".zip"]) {
      const received = await download(suffix, { query })
      expect([received.status, json(received), received.headers.get("content-type")]).toEqual([404, noFile, "application/json"])
    }
  })

  it("no switch", async () => {
    const received = await download(".zip", { query: { include_lfs_blobs: "2" } })
    expect([received.status, json(received)]).toEqual([400, { error: "include_lfs_blobs is invalid" }])
  })

  // Node's own client says what mode it is in, whatever it is told.
  it.each([
    ["another site embeds it", ["Sec-Fetch-Mode: no-cors", "Sec-Fetch-Site: cross-site"], 406],
    ["as an image", ["Accept: image/webp,*/*"], 406],
    ["somebody follows a link", ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Site: cross-site", "Accept: text/html,image/*"], 200]
  ] as const)("%s", async (_, headers, status) => {
    const line = `GET /api/v4/projects/${code().id}/repository/archive.tar?path=README.md HTTP/1.1`
    const answer = await rawRequest(service.url, [line, "Host: x", "Connection: close", ...headers, "", ""].join("\r\n"))
    expect([answer.status, status === 406 ? answer.body : ""]).toEqual([
      status,
      status === 406 ? '{"message":"406 Not Acceptable"}' : ""
    ])
  })
})

describe("limited to two a minute", () => {
  const limited = useService({ ARCHIVE_RATE_LIMIT: "2" })
  it("for each user and project", async () => {
    startMinute()
    const [one, other] = [await createProject(limited, { path: "one" }), await createProject(limited, { path: "other" })]
    const { text } = await issueTokenFor(limited, await createUser(limited, "ada"))
    const ask = (id: number, token: string | null | undefined) =>
      limited.request("GET", `/projects/${id}/repository/archive`, { token })
    const statuses = async (id: number, token: string | null | undefined, times: number) => {
      const all: Array<number> = []
      for (let time = 0; time < times; time++) all.push((await ask(id, token)).status)
      return all
    }
    expect(await statuses(one, undefined, 3)).toEqual([404, 404, 429])
    expect(await statuses(other, undefined, 2)).toEqual([404, 404])
    expect(await statuses(one, text, 3)).toEqual([404, 404, 429])
    expect((await statuses(one, null, 41)).slice(-2)).toEqual([404, 429])
    const refused = await ask(one, text)
    expect(refused.body).toEqual({
      message: { error: "This archive has been requested too many times. Try again later." }
    })
    expect(refused.headers.get("retry-after")).toBe("60")
  })
})
