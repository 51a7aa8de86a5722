import { request as httpRequest } from "node:http"
import { describe, expect, it } from "vitest"
import { rootToken, useService } from "#test/support/service.ts"
import { entriesOf, zipOf } from "./archives.ts"
import { pageOf, usePages } from "./usePages.ts"

const { newProject, path, person, publish, service } = usePages()
const { request } = service

const site = {
  "index.html": "<h1>main</h1>",
  "about.html": "about",
  "docs/index.html": "docs",
  "a b.css": "p {}",
  "data.json": "{}",
  ".well-known/x": "known",
  "404.html": "nothing here"
}

/** A request as it is written here: nobody tidies its path up, or adds headers. */
const raw = (base: string, target: string, headers: Readonly<Record<string, string>> = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base)
    httpRequest({ hostname, port, path: target, headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on("error", reject)
      .end()
  })

describe("a site", () => {
  it("is shown with its types, and with what a name without ending means", async () => {
    const url = await publish(await newProject("shown"), site)
    const shown = async (name: string) => {
      const { headers, status, text } = await pageOf(`${url}${name}`)
      return [status, headers.get("content-type"), text]
    }
    const html = "text/html; charset=utf-8"
    expect(await shown("")).toEqual([200, html, "<h1>main</h1>"])
    expect(await shown("about")).toEqual([200, html, "about"])
    expect(await shown("docs/")).toEqual([200, html, "docs"])
    expect(await shown("a%20b.css?v=1")).toEqual([200, "text/css; charset=utf-8", "p {}"])
    expect(await shown("data.json")).toEqual([200, "application/json; charset=utf-8", "{}"])
    expect(await shown(".well-known/x")).toEqual([200, "application/octet-stream", "known"])
    expect(await shown("none/at/all")).toEqual([404, html, "nothing here"])
    const { headers } = await pageOf(url)
    expect(
      Object.fromEntries(
        ["cache-control", "x-content-type-options", "content-security-policy", "access-control-allow-origin"].map((name) => [
          name,
          headers.get(name)
        ])
      )
    ).toEqual({
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts",
      "access-control-allow-origin": "*"
    })
  })

  it("finds pages by their names without their ending, also those with a dot or beside a folder", async () => {
    const url = await publish(await newProject("pretty"), {
      "v1.2.html": "of v1.2",
      "guide.html": "the guide",
      "guide/more.html": "more",
      "docs.html": "beside the folder",
      "docs/index.html": "docs",
      "empty/more.html": "more",
      "404.html": "nothing here"
    })
    const shown = async (name: string) => {
      const { headers, status, text } = await pageOf(`${url}${name}`)
      return [status, headers.get("location"), text]
    }
    expect(await shown("v1.2")).toEqual([200, null, "of v1.2"])
    expect(await shown("v1.3")).toEqual([404, null, "nothing here"])
    expect(await shown("guide?a=1")).toEqual([200, null, "the guide"])
    expect(await shown("guide/more")).toEqual([200, null, "more"])
    expect(await shown("guide/")).toEqual([404, null, "nothing here"])
    expect(await shown("docs")).toEqual([301, "./docs/", ""])
    expect(await shown("empty")).toEqual([301, "./empty/", ""])
    expect(await shown("empty/")).toEqual([404, null, "nothing here"])
    expect(await shown("docs.html")).toEqual([200, null, "beside the folder"])
    const part = await pageOf(`${url}v1.2`, { headers: { range: "bytes=3-" } })
    expect([part.status, part.text]).toEqual([206, "v1.2"])
  })

  it("says what is missing where its page for that is a folder", async () => {
    const url = await publish(await newProject("odd"), { "index.html": "a", "404.html/index.html": "in a folder" })
    const { headers, status, text } = await pageOf(`${url}none`)
    expect([status, headers.get("location"), text]).toEqual([404, null, "There is no such page.\n"])
    expect((await pageOf(`${url}404.html/`)).text).toBe("in a folder")
  })

  it("has its own page for addresses that can be no file's", async () => {
    const id = await newProject("broken")
    const url = await publish(id, site)
    await publish(id, { "404.html": "nothing in three" }, { path_prefix: "mr3" })
    const said = async (base: string) => {
      const pages = ["docs%2Findex.html", "%", "a/%ff/b", "mr3/%"].map((each) => pageOf(`${base}${each}`))
      return (await Promise.all(pages)).map(({ headers, status, text }) => [status, headers.get("www-authenticate"), text])
    }
    const main = [404, null, "nothing here"]
    const all = [main, main, main, [404, null, "nothing in three"]]
    expect(await said(url)).toEqual(all)
    await request("PATCH", path(id), { json: { pages_unique_domain_enabled: false } })
    expect(await said(`${service.url}/-/pages-site/root/broken/`)).toEqual(all)
  })

  it("answers conditions and ranges", async () => {
    const url = await publish(await newProject("ranges"), site)
    const first = await pageOf(`${url}about.html`)
    const etag = first.headers.get("etag") ?? ""
    const { pathname } = new URL(`${url}about.html`)
    expect([await raw(url, pathname, { "if-none-match": etag }), await raw(url, pathname, { "if-none-match": 'W/"x"' })]).toEqual(
      [304, 200]
    )
    const part = await pageOf(`${url}about.html`, { headers: { range: "bytes=1-2" } })
    expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "bo", "bytes 1-2/5"])
    expect((await pageOf(`${url}about.html`, { headers: { range: "bytes=9-" } })).status).toBe(416)
    expect((await pageOf(`${url}none`, { headers: { range: "bytes=0-1" } })).text).toBe("nothing here")
    const head = await pageOf(`${url}about.html`, { method: "HEAD" })
    expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", "5"])
    const post = await pageOf(url, { method: "POST" })
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"])
  })

  it("leads to where its pages are", async () => {
    const id = await newProject("led")
    const url = await publish(id, site)
    await publish(id, { "index.html": "three" }, { path_prefix: "mr3" })
    const base = url.slice(0, -1)
    const led = async (from: string) => {
      const { headers, status } = await pageOf(from)
      return [status, headers.get("location")]
    }
    const byPath = `${service.url}/-/pages-site/root/led`
    expect(await led(base)).toEqual([302, url])
    expect(await led(`${url}mr3?a=1`)).toEqual([302, `${url}mr3/?a=1`])
    expect(await led(`${url}docs?a=1`)).toEqual([301, "./docs/?a=1"])
    expect(await led(`${url}docs?a=1?b=2`)).toEqual([301, "./docs/?a=1?b=2"])
    expect(await led(`${url}m%723`)).toEqual([302, `${url}m%723/`])
    expect((await pageOf(`${url}m%723/`)).text).toBe("three")
    expect(await led(`${byPath}/docs/?a=1`)).toEqual([302, `${url}docs/?a=1`])
    await request("PATCH", path(id), { json: { pages_unique_domain_enabled: false } })
    expect([(await pageOf(`${byPath}/docs/`)).text, await led(byPath)]).toEqual(["docs", [302, `${byPath}/`]])
    expect((await pageOf(url, { headers: { "private-token": rootToken } })).status).toBe(404)
  })

  it("tells nobody which projects there are", async () => {
    await newProject("hidden", { visibility: "private", pages_access_level: "private" })
    const [hidden, none] = await Promise.all(
      ["hidden", "none"].map((name) => pageOf(`${service.url}/-/pages-site/root/${name}/`))
    )
    expect([hidden?.status, hidden?.text]).toEqual([401, none?.text])
    expect(none?.status).toBe(401)
  })

  it("never shows what lies outside of it", async () => {
    const url = await publish(await newProject("inside"), { "index.html": "a" })
    const { pathname } = new URL(url)
    const hostile = ["../", "..%2f", "%2e%2e/", "..%5c", "%2e%2e%2f", "./../", "a/../../"]
    const targets = hostile.flatMap((up) => [
      `${up.repeat(3)}root-token`,
      `${up.repeat(9)}etc/passwd`,
      `mr/${up.repeat(9)}etc/passwd`
    ])
    const odd = ["%00", "%", "%ff", "index.html%00", "//etc/passwd", "index.html/x", "a".repeat(5_000)]
    const statuses = await Promise.all([...targets, ...odd].map((target) => raw(url, `${pathname}${target}`)))
    expect(new Set(statuses)).toEqual(new Set([404]))
  })

  it("is shown to those who may see it", async () => {
    const id = await newProject("seen", { visibility: "private" })
    const url = await publish(id, { "index.html": "secret" })
    const [guest, outsider] = [await person(id, "seen-guest", 10), await person(id, "seen-outsider", 0)]
    const basic = (token: string) => ({ headers: { authorization: `Basic ${btoa(`somebody:${token}`)}` } })
    const ways = [
      {},
      basic(outsider),
      basic(guest),
      { headers: { "private-token": guest } },
      { headers: { authorization: `Bearer ${guest}` } },
      basic("wrong")
    ]
    const statuses = async (level: string) => {
      await request("PUT", `/projects/${id}`, { json: { pages_access_level: level } })
      return (await Promise.all(ways.map((way) => pageOf(url, way)))).map(({ status }) => status)
    }
    expect(await statuses("public")).toEqual([200, 200, 200, 200, 200, 401])
    expect(await statuses("private")).toEqual([401, 404, 200, 200, 200, 401])
    expect(await statuses("enabled")).toEqual([401, 404, 200, 200, 200, 401])
    expect(await statuses("disabled")).toEqual([401, 404, 404, 404, 404, 401])
    await request("PUT", `/projects/${id}`, { json: { pages_access_level: "private" } })
    for (const way of [{}, basic("wrong")])
      expect((await pageOf(url, way)).headers.get("www-authenticate")).toBe('Basic realm="Pages"')
  })
})

describe("an installation with a domain for pages", () => {
  const hosted = useService({ PAGES_DOMAIN: "Pages.example.com", EXTERNAL_URL: "https://forge.example.com" })

  const shown = (host: string, target: string, headers: Record<string, string> = {}) =>
    new Promise<readonly [number | undefined, string | undefined, string]>((resolve, reject) => {
      const { hostname, port } = new URL(hosted.url)
      httpRequest({ hostname, port, path: target, headers: { host, ...headers } }, (response) => {
        let text = ""
        response.on("data", (piece: Buffer) => {
          text += piece.toString()
        })
        response.on("end", () => resolve([response.statusCode, response.headers.location, text]))
      })
        .on("error", reject)
        .end()
    })

  it("shows sites at hosts of their own, with encryption where that is demanded", async () => {
    const json = { name: "hosted", visibility: "public", pages_access_level: "public" }
    const { id } = (await hosted.request("POST", "/projects", { json })).body as { readonly id: number }
    const file = zipOf(entriesOf({ "index.html": "hosted", "a/index.html": "a" }))
    await hosted.request("POST", `/projects/${id}/pages/deployments`, { file })
    const { body } = await hosted.request("GET", `/projects/${id}/pages`)
    const url: unknown = expect.stringMatching(/^https:\/\/hosted-[0-9a-f]{12}\.pages\.example\.com$/)
    expect(body).toMatchObject({ url, force_https: true, is_unique_domain_enabled: true })
    const { url: base } = body as { readonly url: string }
    const { host } = new URL(base)
    for (const accept of ["*/*", "text/html"]) expect(await shown(host, "/", { accept })).toEqual([200, undefined, "hosted"])
    for (const full of [`${host}:443`, `${host}:80`, `${host}.`, `${host}.:443`, host.toUpperCase()])
      expect([full, await shown(full, "/a/")]).toEqual([full, [200, undefined, "a"]])
    expect(await shown(host, "/a/", { "x-forwarded-proto": "https" })).toEqual([200, undefined, "a"])
    expect(await shown(host, "/a/?b", { "x-forwarded-proto": "http" })).toEqual([308, `${base}/a/?b`, ""])
    const openly = { "x-forwarded-proto": "http" }
    expect(await shown("root.pages.example.com", "/none/", openly)).toEqual([308, "https://root.pages.example.com/none/", ""])
    expect(await shown("root.pages.example.com", "/hosted/a/")).toEqual([302, `${base}/a/`, ""])
    expect((await shown("nobody.pages.example.com", "/"))[0]).toBe(401)
    expect((await hosted.request("GET", "/user", { token: rootToken })).status).toBe(200)
    await hosted.request("PATCH", `/projects/${id}/pages`, {
      json: { pages_unique_domain_enabled: false, pages_https_only: false }
    })
    expect((await hosted.request("GET", `/projects/${id}/pages`)).body).toMatchObject({
      url: "https://root.pages.example.com/hosted",
      force_https: false
    })
    expect(await shown("root.pages.example.com", "/hosted/a/", { "x-forwarded-proto": "http" })).toEqual([200, undefined, "a"])
  })
})
