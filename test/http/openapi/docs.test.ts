import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { afterAll } from "vitest"
import { endpoint } from "#src/http/Endpoint.ts"
import { makeDocs } from "#src/http/openapi/docs.ts"
import { openApi } from "#src/http/openapi/openapi.ts"
import { findKey, sampleEndpoints } from "./sampleEndpoints.ts"

const externalUrl = "https://forge.example/base"
const hostile = endpoint({ ...findKey, name: "evil", path: "/evil", summary: "</script><script>alert(1)</script>" })
const document = openApi([...sampleEndpoints, hostile], { version: "1.2.3", externalUrl })

const routes = HttpRouter.use((router) =>
  Effect.flatMap(makeDocs(Effect.succeed(document), { path: "/-/docs", externalUrl }), (docs) =>
    router.add("GET", "/-/docs", docs)
  )
)
const { handler, dispose } = HttpRouter.toWebHandler(Layer.provide(routes, HttpServer.layerServices), { disableLogger: true })
afterAll(dispose)

const page = async () => {
  const response = await handler(new Request("http://x/-/docs"))
  return { response, html: await response.text() }
}

it("is one page that holds the document and its renderer, and fetches nothing", async () => {
  const { response, html } = await page()
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html"])
  expect(html).toContain("<title>Chronoforge</title>")
  expect(html).toContain('"operationId":"clusters.add"')
  expect(html).not.toMatch(/<(script|link|img|iframe)[^>]*\s(src|href)=/)
})

it("allows requests to this service only", async () => {
  const { response } = await page()
  expect(response.headers.get("content-security-policy")).toBe(
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; " +
      "connect-src 'self' https://forge.example; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  )
})

it("lets no text of an endpoint end its script", async () => {
  const { html } = await page()
  expect(html).toContain("alert(1)")
  expect(html).not.toContain("</script><script>alert(1)")
})

it("is the same page each time", async () => {
  expect((await page()).html).toBe((await page()).html)
})
