import { expect, it } from "vitest"
import { senderOf } from "#src/http/server/Gateway.ts"

it.each([
  ["a token", { "private-token": "one" }, "one"],
  ["a token of another kind", { authorization: "Bearer one" }, "Bearer one"],
  ["no token", {}, "2001:db8::/64"],
  ["an empty token", { "private-token": "" }, "2001:db8::/64"]
])("who sends %s is known by that, or by the address", (_, headers, sender) => {
  expect(senderOf({ headers, network: "2001:db8::/64" })).toBe(sender)
})
