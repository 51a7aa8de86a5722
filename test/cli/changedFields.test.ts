import { assert, describe, it } from "vitest"
import { changedFields, withoutSecrets } from "#src/cli/history/changedFields.ts"
import { newDataKey, sealText } from "#src/platform/secrets/cipher.ts"

const sealed = sealText(newDataKey(), "cluster-1", "s3cret")
const digest = "0123456789abcdef".repeat(4)

describe("withoutSecrets", () => {
  const cells: ReadonlyArray<readonly [string, unknown, unknown]> = [
    ["a sealed text, by the name of its field", { token: "anything" }, { token: "[sealed]" }],
    ["a sealed text, by its shape", { value: sealed }, { value: "[sealed]" }],
    ["a digest, by the name of its field", { digest: "x" }, { digest: "[digest]" }],
    ["a digest, by its shape", { name: digest }, { name: "[digest]" }],
    ["inside objects and lists", { changes: { list: [sealed, "a"] } }, { changes: { list: ["[sealed]", "a"] } }],
    [
      "no secret",
      { name: "staging", url: "https://example.com", key: "ssh-ed25519 AAAAC3Nza" },
      { name: "staging", url: "https://example.com", key: "ssh-ed25519 AAAAC3Nza" }
    ],
    [
      "other kinds of values",
      { managed: true, id: 7, scopes: [], token: null },
      { managed: true, id: 7, scopes: [], token: null }
    ]
  ]
  for (const [name, data, expected] of cells) it(name, () => assert.deepStrictEqual(withoutSecrets(data), expected))
})

describe("changedFields", () => {
  it("names fields by their path, in stored order", () => {
    assert.deepStrictEqual(changedFields({ b: 1, a: { c: null, d: ["x"] }, e: {} }), [
      { name: "b", value: 1 },
      { name: "a.c", value: null },
      { name: "a.d", value: ["x"] }
    ])
  })

  it("has nothing to say of data without fields", () => {
    assert.deepStrictEqual([changedFields({}), changedFields(null)], [[], []])
  })
})
