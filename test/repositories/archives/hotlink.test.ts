import { describe, expect, it } from "vitest"
import { isHotlink } from "#src/repositories/archives/hotlink.ts"

describe("embedded by another site", () => {
  it.each([
    [{ "sec-fetch-mode": "no-cors", "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-mode": "cors", "sec-fetch-site": "same-site" }],
    [{ "sec-fetch-mode": "websocket", "sec-fetch-site": "cross-site" }],
    [{ accept: "image/webp,*/*" }],
    [{ accept: "video/*;q=0.9" }],
    [{ accept: "audio/ogg" }],
    [{ accept: "text/css, */*" }]
  ])("%j", (headers) => {
    expect(isHotlink({ headers })).toBe(true)
  })
})

describe("asked for by somebody", () => {
  it.each([
    [{}],
    [{ accept: "*/*" }],
    [{ accept: "text/html,image/webp" }],
    [{ "sec-fetch-mode": "navigate", "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-mode": "same-origin", "sec-fetch-site": "same-origin" }],
    [{ "sec-fetch-mode": "cors", "sec-fetch-site": "same-origin" }],
    [{ "sec-fetch-mode": "cors" }],
    [{ accept: "image/jpeg, application/x-ms-application, */*" }]
  ])("%j", (headers) => {
    expect(isHotlink({ headers })).toBe(false)
  })
})
