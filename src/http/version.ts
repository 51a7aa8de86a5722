import { hash } from "node:crypto"
import { Effect, Schema } from "effect"
import { version as release } from "../version.ts"
import { ok } from "./answer/Reply.ts"
import { endpoint, route } from "./Endpoint.ts"

/** Release of the reference service whose answers are given. Clients decide by it what they may ask for. */
const version = "17.4.0"
/** Stands for a release of this service: eleven hex digits, as clients expect of a revision. */
const revision = hash("sha256", `chronoforge ${release}`, "hex").slice(0, 11)

const Version = Schema.Struct({ version: Schema.String, revision: Schema.String }).annotate({ identifier: "Version" })

const Metadata = Schema.Struct({
  ...Version.fields,
  kas: Schema.Struct({
    enabled: Schema.Boolean,
    externalUrl: Schema.NullOr(Schema.String),
    externalK8sProxyUrl: Schema.NullOr(Schema.String),
    version: Schema.NullOr(Schema.String)
  }),
  enterprise: Schema.Boolean
}).annotate({ identifier: "Metadata" })

const readVersion = endpoint({
  name: "metadata.version",
  area: "metadata",
  method: "GET",
  path: "/version",
  summary: "Read the version of the interface",
  access: "user",
  readScopes: ["read_user"],
  parameters: {},
  success: { status: 200, body: Version }
})

const readMetadata = endpoint({
  name: "metadata.read",
  area: "metadata",
  method: "GET",
  path: "/metadata",
  summary: "Read version and features of the installation",
  access: "user",
  readScopes: ["read_user"],
  parameters: {},
  success: { status: 200, body: Metadata }
})

const metadata = {
  version,
  revision,
  kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
  enterprise: false
}

export const versionRoutes = [
  route(readVersion, () => Effect.succeed(ok({ version, revision }))),
  route(readMetadata, () => Effect.succeed(ok(metadata)))
]
