import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { endpoint } from "#src/http/Endpoint.ts"
import { docsHeaders, docsHtml } from "#src/http/openapi/docs.ts"
import { documentOf } from "./documentOf.ts"
import { findKey, sampleEndpoints } from "./sampleEndpoints.ts"

const externalUrl = "https://forge.example/base"
const hostile = endpoint({ ...findKey, name: "evil", path: "/evil", summary: "</script><script>alert(1)</script>" })
const document = documentOf([...sampleEndpoints, hostile], { version: "1.2.3", externalUrl })
const html = await Effect.runPromise(docsHtml(document))

it("is one page that holds the document and its renderer, and fetches nothing", () => {
  expect(html).toContain("<title>Chronoforge</title>")
  expect(html).toContain('"operationId":"clusters.add"')
  expect(html).not.toMatch(/<(script|link|img|iframe)[^>]*\s(src|href)=/)
})

it("allows requests to this service only", () => {
  expect(docsHeaders(externalUrl)["content-security-policy"]).toBe(
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; " +
      "connect-src 'self' https://forge.example; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  )
})

it("lets no text of an endpoint end its script", () => {
  expect(html).toContain("alert(1)")
  expect(html).not.toContain("</script><script>alert(1)")
})
