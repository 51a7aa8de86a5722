import { join } from "node:path"
import { Effect } from "effect"
import { AppConfig, redacted } from "./config.ts"
import { StartError } from "./kernel/StartError.ts"
import { ensureKeyFile } from "./platform/keyFile.ts"
import { CurrentOrigin, systemOrigin } from "./platform/Origin.ts"
import { Projections } from "./platform/Projections.ts"
import { ensureToken, tokenWith } from "./tokens/issue/ensureToken.ts"
import { newTokenText } from "./tokens/issue/secret.ts"
import { TokenQueries } from "./tokens/Queries.ts"
import { createAdministrator, firstAdministratorId } from "./users/lifecycle/createAdministrator.ts"
import { giveNamespaces } from "./users/lifecycle/giveNamespaces.ts"

/** Where the token of `root` can be read: in a file, or in the settings of whoever started the service. */
export type RootTokenSource = { readonly _tag: "File"; readonly path: string } | { readonly _tag: "Setting" }

/** The token of `root` that the service was started with. */
export interface RootToken {
  readonly source: RootTokenSource
  readonly isRevoked: boolean
  /** The ids of tokens that earlier starts made of other texts, and that still open everything. */
  readonly earlier: ReadonlyArray<number>
}

/** The shortest ROOT_TOKEN: a guessable one would give away the installation. */
const minTokenLength = 16

const rootToken = Effect.gen(function* () {
  const { dataDir, rootToken: setting } = yield* AppConfig
  const configured = redacted(setting)
  if (configured === undefined || configured === "") {
    const path = join(dataDir, "root-token")
    const source: RootTokenSource = { _tag: "File", path }
    return { text: yield* ensureKeyFile(path, newTokenText), source }
  }
  if (configured.length < minTokenLength) {
    return yield* new StartError({ message: `ROOT_TOKEN: at least ${minTokenLength} characters are needed` })
  }
  if (!/^[\x21-\x7e]+$/.test(configured)) {
    return yield* new StartError({ message: "ROOT_TOKEN: no header can carry blanks, or letters with accents" })
  }
  const source: RootTokenSource = { _tag: "Setting" }
  return { text: configured, source }
})

const tokenName = "root token"

/** Those that never expire were made by a start. */
const earlierTokens = Effect.fnUntraced(function* (current: number | undefined) {
  const filter = {
    userId: firstAdministratorId,
    revoked: false,
    search: tokenName,
    order: { by: "id", descending: false }
  } as const
  const { tokens } = yield* TokenQueries.use((queries) => queries.list(filter, { offset: 0, limit: 100 }))
  const earlier = tokens.filter(({ expires_at, id, name }) => name === tokenName && expires_at === null && id !== current)
  return earlier.map(({ id }) => id)
})

/**
 * Makes what an installation needs: the administrator `root` with the id 1 and its token, and namespaces of users of older logs. Everything that is there already
 * stays as it is, so it runs at every start, in several processes at once too.
 */
export const bootstrap = Effect.gen(function* () {
  const { text, source } = yield* rootToken
  const projections = yield* Projections
  const root = yield* createAdministrator({ username: "root", name: "Administrator", email: "admin@example.com" })
  yield* projections.awaitPosition(root.position)
  yield* projections.awaitPosition(yield* giveNamespaces())
  const issued = yield* ensureToken({ userId: firstAdministratorId, name: tokenName, scopes: ["api", "sudo"], text })
  if (issued !== undefined) yield* projections.awaitPosition(issued.position)
  const known = yield* tokenWith(text)
  const token: RootToken = { source, isRevoked: known?.revoked === true, earlier: yield* earlierTokens(known?.tokenId) }
  return token
}).pipe(Effect.provideService(CurrentOrigin, systemOrigin("bootstrap")))
