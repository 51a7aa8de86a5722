import { hash } from "node:crypto"
import { Effect, Schema } from "effect"
import { version as release } from "../version.ts"
import { flag, nullableText, text } from "./answer/fields.ts"
import { ok } from "./answer/Reply.ts"
import { endpoint, route } from "./Endpoint.ts"

/** Release of the reference service whose answers are given. Clients decide by it what they may ask for. */
const version = "17.4.0"
/** Stands for a release of this service: eleven hex digits, as clients expect of a revision. */
const revision = hash("sha256", `chronoforge ${release}`, "hex").slice(0, 11)

export const served = { version, revision }

const Version = Schema.Struct({
  version: text("Release of the reference service whose interface is served."),
  revision: text("Stands for the release of this service.")
}).annotate({ identifier: "Version" })

const Metadata = Schema.Struct({
  ...Version.fields,
  kas: Schema.Struct({
    enabled: flag("False: there is no agent server."),
    externalUrl: nullableText("Null: there is no agent server."),
    externalK8sProxyUrl: nullableText("Null: there is no agent server."),
    version: nullableText("Null: there is no agent server.")
  }).annotate({ description: "The agent server for Kubernetes." }),
  enterprise: flag("False.")
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
  ...served,
  kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
  enterprise: false
}

export const versionRoutes = [
  route(readVersion, () => Effect.succeed(ok(served))),
  route(readMetadata, () => Effect.succeed(ok(metadata)))
]
