import { Effect, Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ImportLimits } from "#src/imports/remote/ImportLimits.ts"
import { pinnedAddresses } from "#src/imports/remote/pinned.ts"
import { parseImportUrl } from "#src/imports/remote/url.ts"

const scheme = "The import URL must begin with http:// or https://"
const invalid = "The import URL is not valid"

describe("addresses that nothing is imported from", () => {
  it.each([
    ["", "The import URL is empty"],
    ["/srv/git/project.git", scheme],
    ["../project.git", scheme],
    ["file:///srv/git/project.git", scheme],
    ["ssh://git@example.com/project.git", scheme],
    ["git@example.com:group/project.git", scheme],
    ["git://example.com/project.git", scheme],
    ["ftp://example.com/project.git", scheme],
    ["ext::sh -c 'touch /tmp/owned'", "The import URL has spaces or control characters"],
    ["ext::sh", scheme],
    ["fd::17", scheme],
    ["http::https://example.com/project.git", scheme],
    ["--upload-pack=touch", scheme],
    ["-oProxyCommand=touch", scheme],
    ["https:example.com/project.git", scheme],
    ["https:///example.com/project.git", scheme],
    ["https://", scheme],
    ["https://exa mple.com/", "The import URL has spaces or control characters"],
    ["https://example.com/\nheader", "The import URL has spaces or control characters"],
    [" https://example.com/project.git", "The import URL has spaces or control characters"],
    ["https://exa%00mple.com/project.git", invalid],
    ["https://256.1.1.1/project.git", invalid],
    ["https://[::1/project.git", invalid],
    ["https://example.com:99999/project.git", invalid],
    ["https://../project.git", invalid],
    ["https://example.com../project.git", invalid],
    ["https://-example.com/project.git", invalid],
    ["https://+example.com/project.git", invalid],
    ["https://*/project.git", invalid],
    ["https://example.com,127.0.0.1/project.git", invalid],
    ["https://example.com/project.git?private_token=secret", "The import URL must not have a query or a fragment"],
    ["https://example.com/project.git#main", "The import URL must not have a query or a fragment"],
    ["http://example.com:22/project.git", "The import URL must use port 80, 443, or one from 1024 on"],
    ["http://example.com:25/project.git", "The import URL must use port 80, 443, or one from 1024 on"],
    ["https://%zz:secret@example.com/project.git", "The credentials in the import URL are not properly encoded"],
    [`https://example.com/${"a".repeat(2048)}`, "The import URL is longer than 2048 characters"]
  ])("%j", (text, reason) => {
    expect(parseImportUrl(text)).toEqual(Result.fail(reason))
  })
})

describe("addresses of repositories", () => {
  const plain = { url: "https://example.com/a/b.git", host: "example.com", port: 443, credentials: null }
  it.each([
    ["https://example.com/a/b.git", plain],
    ["HTTPS://EXAMPLE.com:443/a/b.git", plain],
    ["https://example.com./a/b.git", plain],
    ["https://example.com/a/b.git?", plain],
    ["https://example.com/a/b.git#", plain],
    ["http://example.com:8080/a", { url: "http://example.com:8080/a", host: "example.com", port: 8080, credentials: null }],
    ["https://ann:s%40fe@example.com/a/b.git", { ...plain, credentials: { user: "ann", password: "s@fe" } }],
    ["https://token@example.com/a/b.git", { ...plain, credentials: { user: "token", password: "" } }],
    ["https://:token@example.com/a/b.git", { ...plain, credentials: { user: "", password: "token" } }],
    [
      "http://good.example@127.0.0.1/",
      { url: "http://127.0.0.1/", host: "127.0.0.1", port: 80, credentials: { user: "good.example", password: "" } }
    ],
    [
      "http://127.0.0.1\\@good.example/",
      { url: "http://127.0.0.1/@good.example/", host: "127.0.0.1", port: 80, credentials: null }
    ],
    ["http://2130706433/", { url: "http://127.0.0.1/", host: "127.0.0.1", port: 80, credentials: null }],
    ["http://0177.0.0.1/", { url: "http://127.0.0.1/", host: "127.0.0.1", port: 80, credentials: null }],
    ["http://0x7f.1/", { url: "http://127.0.0.1/", host: "127.0.0.1", port: 80, credentials: null }],
    ["http://①②⑦.0.0.1/", { url: "http://127.0.0.1/", host: "127.0.0.1", port: 80, credentials: null }],
    ["http://[::FFFF:127.0.0.1]/", { url: "http://[::ffff:7f00:1]/", host: "::ffff:7f00:1", port: 80, credentials: null }],
    [
      "https://bücher.example/a",
      { url: "https://xn--bcher-kva.example/a", host: "xn--bcher-kva.example", port: 443, credentials: null }
    ]
  ])("%j", (text, remote) => {
    expect(parseImportUrl(text)).toEqual(Result.succeed(remote))
  })

  it("are never shown with what is before the @", () => {
    const word = fc.stringMatching(/^[a-z0-9]{8,12}$/)
    fc.assert(
      fc.property(word, word, (user, password) => {
        const read = parseImportUrl(`https://${user}:${password}@example.com/a.git`)
        expect(Result.getOrThrow(read)).toEqual({ ...plain, url: "https://example.com/a.git", credentials: { user, password } })
      })
    )
  })
})

describe("where a host leads", () => {
  const names: Readonly<Record<string, ReadonlyArray<string>>> = {
    "public.example": ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
    "private.example": ["10.0.0.1"],
    "partly.example": ["93.184.215.14", "127.0.0.1"],
    "mapped.example": ["::ffff:169.254.169.254"]
  }
  const pinned = (host: string, allowPrivate = false) =>
    Effect.runPromise(
      pinnedAddresses({ host, port: 443 }).pipe(
        Effect.catchTag("ImportRefused", ({ message }) => Effect.succeed({ message })),
        Effect.provideService(ImportLimits, {
          isEnabled: true,
          allowPrivate,
          seconds: 1,
          bytes: 1,
          spare: () => Effect.succeed(1),
          resolve: (name) => Effect.succeed(names[name] ?? [])
        })
      )
    )
  const refused = { message: "The import URL leads to an address that is not public, which is not allowed" }

  it.each([
    ["public.example", "public.example:443:93.184.215.14,[2606:2800:21f:cb07:6820:80da:af6b:8b2c]"],
    ["private.example", refused],
    ["partly.example", refused],
    ["mapped.example", refused],
    ["missing.example", { message: "The host of the import URL has no address" }],
    ["127.0.0.1", refused],
    ["::1", refused],
    ["1.1.1.1", undefined]
  ])("%s", async (host, expected) => {
    expect(await pinned(host)).toEqual(expected)
  })

  it("does not matter where private addresses are allowed, but it is held to", async () => {
    expect(await pinned("private.example", true)).toBe("private.example:443:10.0.0.1")
    expect(await pinned("::1", true)).toBeUndefined()
  })
})
