import { assert, describe, it } from "vitest"
import { changedFields, withoutSecrets } from "#src/cli/history/changedFields.ts"
import { shownCommandId } from "#src/cli/history/secretFields.ts"
import { newDataKey, sealText } from "#src/platform/secrets/cipher.ts"

const sealed = sealText(newDataKey(), "cluster-1", "s3cret")
const digest = "0123456789abcdef".repeat(4)

describe("withoutSecrets", () => {
  const cells: ReadonlyArray<readonly [name: string, type: string, data: unknown, expected: unknown]> = [
    ["a sealed text", "ClusterAdded", { token: sealed, addedBy: 1 }, { token: "[sealed]", addedBy: 1 }],
    ["a digest", "TokenIssued", { name: "laptop", digest }, { name: "laptop", digest: "[digest]" }],
    ["the folder of an upload", "UploadAdded", { secret: "a", name: "b" }, { secret: "[secret]", name: "b" }],
    [
      "inside objects",
      "VariableChanged",
      { key: "A", changes: { value: sealed, raw: true } },
      { key: "A", changes: { value: "[sealed]", raw: true } }
    ],
    [
      "inside lists",
      "JobsAdded",
      { jobs: [{ id: 1 }, { id: 2, playVariables: sealed }] },
      { jobs: [{ id: 1 }, { id: 2, playVariables: "[sealed]" }] }
    ],
    [
      "the digest of a token as a name that is reserved",
      "NameReserved",
      { kind: "token_digest", name: digest },
      { kind: "token_digest", name: "[digest]" }
    ],
    [
      "no secret there",
      "ImportScheduled",
      { source: { url: null, credentials: null } },
      { source: { url: null, credentials: null } }
    ]
  ]
  for (const [name, type, data, expected] of cells)
    it(name, () => assert.deepStrictEqual(withoutSecrets({ type, data }), expected))

  it("leaves the name that is reserved for anything else", () => {
    const data = { kind: "namespace", name: digest }
    assert.deepStrictEqual(withoutSecrets({ type: "NameReserved", data }), data)
  })

  it("leaves all other texts, whatever they look like and are called", () => {
    const data = { title: digest, description: sealed, token: "$TOKEN", password: "scrypt", list: [digest, sealed] }
    assert.deepStrictEqual(withoutSecrets({ type: "IssueOpened", data }), data)
  })
})

describe("shownCommandId", () => {
  it("hides the digest of a token, and nothing else", () => {
    assert.deepStrictEqual([`ensure-token/${digest}`, digest].map(shownCommandId), ["ensure-token/[digest]", digest])
  })
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
