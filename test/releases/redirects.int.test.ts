import { beforeAll, describe, expect, it } from "vitest"
import { rawRequest } from "#test/support/requests/rawRequest.ts"
import { missing, missingLink, missingProject, type Project, useReleases } from "./useReleases.ts"

const { ask, collect, link, moved, newProject, pathOf, release, service, tag } = useReleases()
const { request } = service

const noRoute = [404, { error: "404 Not Found" }]
const tool = "https://example.com/tool?a=b#c"
let project: Project

beforeAll(async () => {
  project = await newProject("led", { visibility: "public" })
  await release(project.id, "v1")
  await release(project.id, "debian/2.4", { released_at: "2031-01-01" })
  await link(project.id, "v1", { name: "Tool", url: tool, direct_asset_path: "/bin/tool.json" })
  await link(project.id, "v1", { name: "Old", url: "ftp://example.com/old", filepath: "/old" })
  await link(project.id, "debian/2.4", { name: "New", url: "https://example.com/new", direct_asset_path: "/bin/new" })
})

describe("the latest release", () => {
  const latest = (more = "", of: unknown = project.id) => moved(pathOf(of, undefined, `/permalink/latest${more}`))
  const target = (more = "") => `/api/v4/projects/${project.id}/releases/debian%2F2.4${more}`

  it("is the one that is released last, by the number of the project, however the caller names it", async () => {
    const received = await request("GET", pathOf(project.id, undefined, "/permalink/latest"))
    expect([received.status, received.headers.get("location"), received.body]).toEqual([
      302,
      target(),
      `This resource has been moved temporarily to ${target()}.`
    ])
    expect([received.headers.get("content-type"), received.headers.get("cache-control")]).toEqual(["text/plain", "no-cache"])
    expect(await latest("", encodeURIComponent("root/led"))).toBe(target())
  })

  it("takes on what follows, and the query without its order", async () => {
    expect(await latest("/assets/links")).toBe(target("/assets/links"))
    expect(await latest("/downloads/bin/new.json")).toBe(target("/downloads/bin/new.json"))
    expect(await latest("?include_html_description=true&order_by=released_at&a=b%20c")).toBe(
      target("?include_html_description=true&a=b%20c")
    )
    expect(await latest("?order_by=created_at")).toBe(target())
    expect(await latest("/assets/links?per_page=1&order_by=x")).toBe(target("/assets/links?per_page=1"))
    expect(await latest("/a%20b/c%3Fd")).toBe(target("/a%20b/c%3Fd"))
  })

  it("leads to what is there", async () => {
    const followed = async (more: string) => {
      const url = `${service.url}/api/v4${pathOf(project.id, undefined, `/permalink/latest${more}`)}`
      return (await fetch(url)).json()
    }
    expect(await followed("")).toMatchObject({ tag_name: "debian/2.4" })
    expect(await followed("/assets/links?per_page=1&page=2")).toEqual([])
    expect(await followed("/assets/links")).toMatchObject([{ name: "New" }])
  })

  it("follows no path that leads out", async () => {
    const wrong = [400, { error: "suffix_path should be a valid file path" }]
    for (const path of ["/..%2Fa", "/a/..%2F..%2Fb", "/a%2F.."]) expect([path, await latest(path)]).toEqual([path, wrong])
    const raw = `/api/v4${pathOf(project.id, undefined, "/permalink/latest/a/../b")}`
    const { body, status } = await rawRequest(service.url, `GET ${raw} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect([status, JSON.parse(body)]).toEqual(wrong)
  })

  it("is not there where there is no release", async () => {
    const { id } = await newProject("without")
    await tag(id, "v1")
    expect(await latest("", id)).toEqual(missing)
    expect(await latest("/assets/links", id)).toEqual(missing)
    expect(await latest("", 999_999)).toEqual(missingProject)
  })
})

describe("a download", () => {
  const download = (path: string, tagName = "v1") => moved(pathOf(project.id, tagName, `/downloads${path}`))

  it("leads to the address of the link with that path", async () => {
    expect(await download("/bin/tool.json")).toBe(tool)
    expect(await download("/bin%2Ftool.json")).toBe(tool)
    expect(await download("/old")).toBe("ftp://example.com/old")
    expect(await download("/bin/new", "debian/2.4")).toBe("https://example.com/new")
  })

  it("leads to addresses of any characters, which are escaped", async () => {
    const url = "https://example.com/é ☃?a=%20&b=[c]#d"
    await link(project.id, "debian/2.4", { name: "Snow", url, direct_asset_path: "/snow" })
    expect(await download("/snow", "debian/2.4")).toBe("https://example.com/%C3%A9%20%E2%98%83?a=%20&b=[c]#d")
  })

  it("is not found by another path, or of another release", async () => {
    for (const path of ["/bin/tool", "/bin", "/OLD"]) expect([path, await download(path)]).toEqual([path, missingLink])
    expect(await download("/bin/tool.json", "v9")).toEqual(missing)
    expect(await download("/old", "debian/2.4")).toEqual(missingLink)
  })

  it("needs a path, and one that does not lead out", async () => {
    expect(await download("")).toEqual(noRoute)
    for (const path of ["/..%2Fold", "/bin%2F..%2Fold"])
      expect(await download(path)).toEqual([400, { error: "direct_asset_path should be a valid file path" }])
  })
})

describe("web addresses of a release", () => {
  const web = async (path: string, method = "GET") => {
    const response = await fetch(`${service.url}${path}`, { method, redirect: "manual" })
    await response.arrayBuffer()
    return [response.status, response.headers.get("location")]
  }
  const api = (more: string) => [302, `/api/v4/projects/root%2Fled${more}`]

  it("lead to the interface", async () => {
    expect(await web("/root/led/-/releases/v1/downloads/bin/tool.json")).toEqual(api("/releases/v1/downloads/bin/tool.json"))
    expect(await web("/root/led/-/releases/debian%2F2.4/downloads/bin/new?a=b")).toEqual(
      api("/releases/debian%2F2.4/downloads/bin/new?a=b")
    )
    expect(await web("/root/led/-/releases/v1/evidences/12.json")).toEqual(api("/releases/v1/evidences/12"))
    for (const format of ["zip", "tar.gz", "tar.bz2", "tar"]) {
      expect(await web(`/root/led/-/archive/v1/led-v1.${format}`)).toEqual(api(`/repository/archive.${format}?sha=v1`))
      expect(await web(`/root/led/-/archive/debian%2F2.4/led-debian-2.4.${format}?path=a`)).toEqual(
        api(`/repository/archive.${format}?sha=debian%2F2.4&path=a`)
      )
    }
    expect(await web("/group/below/led/-/archive/v1/led-v1.zip", "HEAD")).toEqual([
      302,
      "/api/v4/projects/group%2Fbelow%2Fled/repository/archive.zip?sha=v1"
    ])
  })

  it("are all that lead there", async () => {
    for (const path of [
      "/root/led/-/releases/v1/downloads/",
      "/root/led/-/releases/v1/evidences/x.json",
      "/root/led/-/archive/v1/a.7z"
    ])
      expect([path, (await web(path))[0]]).toEqual([path, 404])
    expect((await web("/root/led/-/releases/v1/downloads/old", "POST"))[0]).toBe(404)
  })

  it("that a release tells, are followed to its assets, archives and evidence", async () => {
    await collect(1)
    const [, body] = await ask("GET", pathOf(project.id, "v1"))
    const { assets, evidences } = body as {
      readonly assets: {
        readonly sources: ReadonlyArray<{ readonly url: string }>
        readonly links: ReadonlyArray<{ readonly direct_asset_url: string }>
      }
      readonly evidences: ReadonlyArray<{ readonly filepath: string }>
    }
    for (const { url } of assets.sources) {
      const response = await fetch(url)
      const bytes = await response.arrayBuffer()
      expect([url, response.status, bytes.byteLength > 0]).toEqual([url, 200, true])
    }
    const [evidence] = evidences
    const response = await fetch(String(evidence?.filepath))
    expect([response.status, await response.json()]).toEqual([200, { release: expect.objectContaining({ tag_name: "v1" }) }])
    for (const { direct_asset_url } of assets.links) {
      const path = new URL(direct_asset_url).pathname
      const [, location] = await web(path)
      expect(await web(String(location))).toEqual([302, path.endsWith("old") ? "ftp://example.com/old" : tool])
    }
  })
})
