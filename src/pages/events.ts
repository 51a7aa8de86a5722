import { Schema } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

/** What is set for the pages of a project; null: nobody has set it. */
export const PagesSettings = Schema.Struct({
  /** Whether the site has a host of its own instead of a path below that of its namespace. */
  uniqueDomainEnabled: Schema.NullOr(Schema.Boolean),
  /** Whether requests without encryption are redirected. */
  httpsOnly: Schema.NullOr(Schema.Boolean),
  /** The first label of the unique domain, which the project keeps once it has one. */
  uniqueDomain: Schema.NullOr(Schema.String)
})
export type PagesSettings = typeof PagesSettings.Type

/** A published version of a site. */
export const Deployment = Schema.Struct({
  /** The name of the folder with its files. */
  site: Schema.String,
  /** The path below the base address; blank for the main one. */
  pathPrefix: Schema.String,
  /** The folder of the archive that is shown; null for all of it. */
  rootDirectory: Schema.NullOr(Schema.String),
  files: Schema.Int,
  /** Of all files, in bytes. */
  size: Schema.Int
})
export type Deployment = typeof Deployment.Type

export const PagesEvent = Schema.TaggedUnion({
  /** All settings as they are from now on. */
  PagesSettingsChanged: { settings: PagesSettings },
  /** It takes the place of the site that had the same prefix; null: none had. */
  PagesDeployed: { deployment: Deployment, by: Schema.Int, replaced: Schema.NullOr(Schema.String) },
  /** With the sites that were published. */
  PagesUnpublished: { by: Schema.Int, sites: Schema.Array(Schema.String) }
})
export type PagesEvent = typeof PagesEvent.Type

export const pagesCodec = eventCodec(PagesEvent)
