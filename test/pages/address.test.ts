import { describe, expect, it } from "vitest"
import { isEncrypted, newUniqueDomain, siteUrl } from "#src/pages/address.ts"
import { firstNamesOf, hasNames, siteTarget } from "#src/pages/serving/target.ts"
import { namesBelow, namesIn } from "#src/pages/sites/paths.ts"

describe("the address of a site", () => {
  const projectPath = "Group/Sub/Site"
  it.each([
    ["https://forge.example.com", undefined, undefined, "https://forge.example.com/-/pages-site/group/sub/site"],
    ["https://forge.example.com", undefined, "site-1", "https://forge.example.com/-/pages-site/site-1"],
    ["https://forge.example.com/git", undefined, "site-1", "https://forge.example.com/git/-/pages-site/site-1"],
    ["https://forge.example.com", "pages.example.com", undefined, "https://group.pages.example.com/sub/site"],
    ["http://127.0.0.1:8080", "pages.example.com:8080", "site-1", "http://site-1.pages.example.com:8080"]
  ])("%s, %s, %s", (externalUrl, domain, uniqueDomain, url) => {
    expect(siteUrl({ externalUrl, domain }, { projectPath, uniqueDomain })).toBe(url)
  })

  it("is encrypted where the service is", () => {
    const of = (externalUrl: string) => isEncrypted({ externalUrl, domain: undefined })
    expect([of("https://a.example"), of("http://a.example")]).toEqual([true, false])
  })

  it.each([
    ["html-root", /^html-root-[0-9a-f]{12}$/],
    ["My_Site.x", /^my-site-x-[0-9a-f]{12}$/],
    ["___", /^site-[0-9a-f]{12}$/],
    ["a".repeat(255), /^a{50}-[0-9a-f]{12}$/]
  ])("a new domain for %s is a label of a host", (path, label) => {
    expect(newUniqueDomain(path)).toMatch(label)
  })

  it("no two new domains are the same", () => {
    expect(newUniqueDomain("a")).not.toBe(newUniqueDomain("a"))
  })
})

describe("what a request asks of a site", () => {
  const query = ""
  it.each([
    ["/-/pages-site/site-1/a/b.html?x=1", { label: "site-1", rest: "/a/b.html", query: "?x=1" }],
    ["/-/pages-site/Site-1/", { label: "site-1", rest: "/", query }],
    ["/-/pages-site/site-1", { label: "site-1", rest: undefined, query }],
    ["/-/pages-site/", undefined],
    ["/-/pages-site", undefined],
    ["/-/pages-site/%2e%2e/", undefined],
    ["/api/v4/user", undefined]
  ])("%s", (url, target) => {
    expect(siteTarget(url, "forge.example.com", { own: "forge.example.com", domain: undefined })).toEqual(target)
  })

  it.each([
    ["site-1.pages.example.com", { label: "site-1", rest: "/a", query }],
    ["Site-1.PAGES.example.com", { label: "site-1", rest: "/a", query }],
    ["site-1.pages.example.com:443", { label: "site-1", rest: "/a", query }],
    ["site-1.pages.example.com.", { label: "site-1", rest: "/a", query }],
    ["site-1.pages.example.com.:80", { label: "site-1", rest: "/a", query }],
    ["forge.pages.example.com:443", undefined],
    ["forge.pages.example.com.", undefined],
    ["pages.example.com:443", undefined],
    ["[::1]:80", undefined],
    ["pages.example.com", undefined],
    ["forge.example.com", undefined],
    ["forge.pages.example.com", undefined],
    ["xpages.example.com", undefined],
    [undefined, undefined]
  ])("at host %s", (host, target) => {
    expect(siteTarget("/a", host, { own: "forge.pages.example.com", domain: "pages.example.com" })).toEqual(target)
  })

  it.each(["site-1.localhost", "site-1.localhost:8080", "site-1.localhost.:80"])(
    "at host %s below a domain with a port",
    (host) => {
      const hosts = { own: "localhost:8080", domain: "localhost:8080" }
      expect(siteTarget("/a?b", host, hosts)).toEqual({ label: "site-1", rest: "/a", query: "?b" })
    }
  )

  it.each([
    ["/a/b%20c", ["a", "b c"], true],
    ["/", [""], true],
    ["", [], true],
    ["/a%2fb", [], false],
    ["/a/%/b", ["a"], false],
    ["/a/b/%ff", ["a", "b"], false]
  ])("%s begins with names", (path, names, areAll) => {
    expect([firstNamesOf(path), hasNames(path)]).toEqual([names, areAll])
  })
})

describe("a path in an archive", () => {
  it.each([
    ["a/b.html", ["a", "b.html"]],
    ["./a//./b", ["a", "b"]],
    ["a/", ["a"]],
    ["", []],
    [".well-known/x", [".well-known", "x"]],
    ["..", undefined],
    ["a/../b", undefined],
    ["/etc/passwd", undefined],
    ["a\\b", undefined],
    ["a\0b", undefined],
    ["\ud800", undefined],
    ["a".repeat(256), undefined],
    ["aa/".repeat(1_001), undefined]
  ])("%j", (path, names) => {
    expect(namesIn(path)).toEqual(names)
  })

  it.each([
    [[], ["a"], ["a"]],
    [["a"], ["a", "b"], ["b"]],
    [["a"], ["a"], undefined],
    [["a"], ["ab", "c"], undefined]
  ])("below %j, %j is %j", (folder, names, below) => {
    expect(namesBelow(folder, names)).toEqual(below)
  })
})
