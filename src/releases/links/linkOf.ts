import type { LinkType } from "../events.ts"
import type { NewLink } from "../writes.ts"

interface LinkParameters {
  readonly name?: string | null
  readonly url?: string | null
  readonly direct_asset_path?: string | null
  readonly filepath?: string | null
  readonly link_type?: typeof LinkType.Type | null
}

/** The path that is asked for, under either name; undefined where none is, null for a blank one. */
export const pathOf = ({ direct_asset_path, filepath }: LinkParameters): string | null | undefined => {
  const path = direct_asset_path ?? filepath
  return path === "" ? null : path
}

/** A new link as a request describes it. */
export const linkOf = (parameters: LinkParameters): NewLink => ({
  name: parameters.name ?? "",
  url: parameters.url ?? "",
  path: pathOf(parameters) ?? null,
  type: parameters.link_type ?? "other"
})
