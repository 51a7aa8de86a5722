import { expect, it } from "vitest"
import { attachment } from "#src/repositories/attachment.ts"

it.each([
  ["p-main.tar.gz", 'attachment; filename="p-main.tar.gz"'],
  ["two words.zip", 'attachment; filename="two words.zip"'],
  ['a"b\\c.zip', `attachment; filename="a_b_c.zip"; filename*=UTF-8''a%22b%5Cc.zip`],
  ["ü (1)'*.zip", `attachment; filename="_ (1)'*.zip"; filename*=UTF-8''%C3%BC%20%281%29%27%2A.zip`],
  ["a\r\nX: y.zip", `attachment; filename="a__X: y.zip"; filename*=UTF-8''a%0D%0AX%3A%20y.zip`],
  ["100%41.zip", `attachment; filename="100_41.zip"; filename*=UTF-8''100%2541.zip`]
])("%j", (name, header) => {
  expect(attachment(name)).toBe(header)
})
