import { describe, expect, it } from "vitest"
import { attachment, inline } from "#src/http/answer/contentDisposition.ts"

describe.each([
  ["p-main.tar.gz", "p-main.tar.gz", undefined],
  ["two words.zip", "two words.zip", undefined],
  ['a"b\\c.zip', "a_b_c.zip", "a%22b%5Cc.zip"],
  ["ü (1)'*.zip", "_ (1)'*.zip", "%C3%BC%20%281%29%27%2A.zip"],
  ["a\r\nX: y.zip", "a__X: y.zip", "a%0D%0AX%3A%20y.zip"],
  ["100%41.zip", "100_41.zip", "100%2541.zip"]
])("%j", (name, plain, full) => {
  it("as a download", () => {
    expect(attachment(name)).toBe(`attachment; filename="${plain}"${full === undefined ? "" : `; filename*=UTF-8''${full}`}`)
  })

  it("as what is shown", () => {
    expect(inline(name)).toBe(`inline; filename="${plain}"; filename*=UTF-8''${full ?? encodeURIComponent(name)}`)
  })
})
