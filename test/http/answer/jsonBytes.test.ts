import { createHash } from "node:crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { jsonBytes } from "#src/http/answer/jsonBytes.ts"

/** What the generator makes, and how often it paused. */
const encoded = (body: unknown) => {
  const work = jsonBytes(body)
  let pauses = 0
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return { ...step.value, pauses }
    pauses++
  }
}
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

describe("a long body", () => {
  it("is encoded as JSON is", () => {
    const plain = fc.jsonValue({ maxDepth: 3 })
    const bodies = fc.oneof(fc.array(plain), fc.dictionary(fc.string(), fc.option(plain, { nil: undefined })))
    fc.assert(
      fc.property(bodies, (body) => {
        const { bytes, sha256: tag } = encoded(body)
        expect([bytes.toString("utf8"), tag]).toEqual([JSON.stringify(body), sha256(JSON.stringify(body))])
      })
    )
  })

  it("pauses, and is the same in pieces", () => {
    const body = {
      first: 1,
      commits: Array.from({ length: 50_000 }, (_, id) => ({ id, title: `ü${id}`.repeat(20) })),
      last: null
    }
    const { bytes, pauses } = encoded(body)
    expect(bytes.equals(Buffer.from(JSON.stringify(body)))).toBe(true)
    expect(pauses).toBeGreaterThan(2)
  })
})
