import { Result, Schema } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { routes } from "#src/composition.ts"
import type { Endpoint } from "#src/http/Endpoint.ts"
import * as repositoryReads from "#src/repositories/contract.ts"
import { useStandardCode } from "#test/repositories/useCode.ts"
import { expectExactly } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { type Sent, useService } from "#test/support/service.ts"

const service = useService()

const areas = ["users", "personalAccessTokens", "metadata"]
const declared: ReadonlyArray<Endpoint> = [
  ...routes.map(({ endpoint }) => endpoint).filter(({ area }) => areas.includes(area)),
  ...Object.values(repositoryReads)
]

const code = useStandardCode(service)
let [ada, adaToken] = [0, { id: 0, text: "" }]
const account = (username: string) => ({
  username,
  name: username,
  email: `${username}@example.com`,
  force_random_password: true
})
beforeAll(async () => {
  ada = await createUser(service, "ada", { provider: "saml", extern_uid: "1", bio: "b", organization: "O", note: "n" })
  adaToken = await issueTokenFor(service, ada)
  await createUser(service, "bob", { admin: true })
})

type Given = Readonly<Record<string, string | number>>
const user = () => ({ id: ada })
const token = () => ({ id: adaToken.id })
const someToken = async () => ({ id: (await issueTokenFor(service, ada)).id })
const inProject = () => ({ id: code().id })
const asking =
  (...query: ReadonlyArray<readonly [string, string]>) =>
  (): Sent => ({ query })
const nothing = () => ({})
const asAda = (): Sent => ({ token: adaToken.text })
const administrator = (): Sent => ({})

/** Successes of each endpoint: what stands in the path, and what is sent. Each shape that a body may have is among them. */
const successes: Readonly<Record<string, ReadonlyArray<readonly [path: () => Given | Promise<Given>, sent: () => Sent]>>> = {
  "metadata.version": [[nothing, administrator]],
  "metadata.read": [[nothing, administrator]],
  "users.current": [
    [nothing, administrator],
    [nothing, asAda]
  ],
  "users.list": [
    [nothing, administrator],
    [nothing, asAda],
    [nothing, () => ({ token: null, query: { username: "ada" } })],
    [nothing, () => ({ query: { username: "nobody" } })]
  ],
  "users.read": [
    [user, administrator],
    [user, asAda]
  ],
  "users.create": [
    [nothing, () => ({ json: account("cleo") })],
    [
      nothing,
      () => ({ json: { ...account("dan"), provider: "saml", extern_uid: "2", public_email: "dan@example.com", note: "n" } })
    ]
  ],
  "users.update": [[user, () => ({ json: { location: "L", pronouns: "they" } })]],
  "users.block": [
    [user, administrator],
    [user, administrator]
  ],
  "users.unblock": [
    [user, administrator],
    [user, administrator]
  ],
  "users.ban": [[user, administrator]],
  "users.unban": [[user, administrator]],
  "users.deactivate": [[async () => ({ id: await createUser(service, "idle") }), administrator]],
  "users.activate": [[user, administrator]],
  "personalAccessTokens.create": [[() => ({ user_id: ada }), () => ({ json: { name: "ci", scopes: ["api"] } })]],
  "personalAccessTokens.list": [
    [nothing, administrator],
    [nothing, asAda]
  ],
  "personalAccessTokens.readSelf": [
    [nothing, administrator],
    [nothing, asAda]
  ],
  "personalAccessTokens.read": [
    [token, administrator],
    [token, asAda]
  ],
  "personalAccessTokens.rotate": [[someToken, administrator]],
  "personalAccessTokens.rotateSelf": [[nothing, asAda]],
  "repositories.tree": [
    [inProject, administrator],
    [inProject, asking(["recursive", "true"], ["pagination", "legacy"])]
  ],
  "repositories.blob": [
    [() => ({ ...inProject(), sha: code().fixture.git(["rev-parse", "refs/heads/main:README.md"]) }), administrator]
  ],
  "repositories.compare": [
    [inProject, asking(["from", "v1.0.0"], ["to", "main"])],
    [inProject, asking(["from", "main"], ["to", "main"])]
  ],
  "repositories.contributors": [[inProject, administrator]],
  "repositories.mergeBase": [[inProject, () => asking(["refs[]", "main"], ["refs[]", code().fixture.ids.third])()]]
}

/** The body as its declared shape has it: the same values, keys in the order of the declaration, none besides. */
const decoded = ({ success: { body } }: Endpoint, received: unknown): unknown => {
  if (body === undefined) return undefined
  return Result.getOrThrow(Schema.decodeUnknownResult(Schema.toType(body), { onExcessProperty: "error" })(received))
}

describe("bodies of successes have exactly the declared shape", () => {
  it("of every endpoint that answers with a body", () => {
    expect(Object.keys(successes).toSorted()).toEqual(
      declared
        .filter(({ success }) => success.body !== undefined)
        .map(({ name }) => name)
        .toSorted()
    )
  })

  const rows = declared.flatMap((endpoint) => (successes[endpoint.name] ?? []).map(([path, sent]) => ({ endpoint, path, sent })))
  it.each(rows)("$endpoint.name", async ({ endpoint, path, sent }) => {
    const given = await path()
    const filled = endpoint.path.replace(/:(\w+)/g, (_, name: string) => String(given[name]))
    const { body, status } = await service.request(endpoint.method, filled, sent())
    expect(status).toBe(endpoint.success.status)
    expectExactly(body, decoded(endpoint, body))
  })
})
