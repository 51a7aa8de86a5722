import { createServer } from "node:http"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { Authenticator } from "#src/http/access/Authenticator.ts"
import { RateLimiter } from "#src/http/server/RateLimiter.ts"
import { servePage } from "#src/pages/serving/serve.ts"
import { siteTarget } from "#src/pages/serving/target.ts"
import { SiteStorage } from "#src/pages/sites/SiteStorage.ts"
import { listening } from "#test/support/processes/listening.ts"
import { pageOf, usePages } from "./usePages.ts"

const { newProject, publish, service } = usePages()

const nobody = Authenticator.of({
  findToken: () => Effect.undefined,
  isTokenText: () => false,
  findUser: () => Effect.undefined,
  accountRefusal: () => undefined,
  revokeSuccessors: () => Effect.void,
  noteUse: () => Effect.void
})
const unlimited = RateLimiter.layer({ authenticated: 0, unauthenticated: 0 })

/** What is answered to a request for a page whose site has made way for another one whenever it is found, the first times. */
const shownAfter = async (url: string, times: number) => {
  const target = siteTarget(new URL(url).pathname, undefined, { own: "forge.example.com", domain: undefined })
  if (target === undefined) throw new Error(`${url} is no page`)
  let found = 0
  const storage = await service.run(SiteStorage.use(Effect.succeed))
  const replaced: typeof storage = {
    ...storage,
    folderOf: (projectId, site) => storage.folderOf(projectId, found++ < times ? "gone" : site)
  }
  const server = createServer((request, response) => {
    const observed = { id: "1", network: "127.0.0.1", caller: undefined }
    const page = servePage({ ...target, headers: {}, externalUrl: service.url }, { request, response }, observed)
    void service.run(
      page.pipe(
        Effect.provideService(SiteStorage, replaced),
        Effect.provideService(Authenticator, nobody),
        Effect.provide(unlimited)
      )
    )
  })
  try {
    const { headers, status, text } = await pageOf(`http://127.0.0.1:${await listening(server)}/`)
    return { status, type: headers.get("content-type"), text, found }
  } finally {
    server.close()
  }
}

it("a page is found anew where its site makes way for another one, but not for ever", async () => {
  const url = await publish(await newProject("replaced"), { "index.html": "still here", "404.html": "none" })
  const page = { status: 200, type: "text/html; charset=utf-8", text: "still here" }
  const missing = { status: 404, type: "text/plain; charset=utf-8", text: "There is no such page.\n" }
  expect(await shownAfter(url, 0)).toEqual({ ...page, found: 1 })
  expect(await shownAfter(url, 2)).toEqual({ ...page, found: 3 })
  expect(await shownAfter(url, 9)).toEqual({ ...missing, found: 5 })
  expect(await shownAfter(`${url}nothing`, 1)).toEqual({ ...page, status: 404, text: "none", found: 2 })
})
