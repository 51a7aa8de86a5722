import { grid } from "../grid.ts"
import { code, reading } from "../rights.ts"
import type { Row } from "../row.ts"
import type { InProject } from "../useWorld.ts"

const developing = grid`
            anonymous   external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   404project  404project  404project  404project  403    403       ok         ok          ok     ok
  internal  404project  404project  403         403         403    403       ok         ok          ok     ok
  public,members    403         403         403         403         403    403       ok         ok          ok     ok
  archived,disabled  403         403         403         403         403    403       403        403         403    403
`

const releases = "/projects/:id/releases"
const one = `${releases}/:tag_name`
const kept = { tag_name: "v1.0.0" }
const links = `${one}/assets/links`
const link = ({ releases: { link: link_id } }: InProject) => ({ ...kept, link_id })

export const releaseRows: ReadonlyArray<Row<InProject>> = [
  [`GET ${releases}`, 200, reading],
  [`GET ${one}`, 200, code, () => ({ path: kept })],
  [`GET ${releases}/permalink/latest`, 302, code],
  [`GET ${releases}/permalink/latest/:suffix_path`, 302, code, () => ({ path: { suffix_path: "evidences" } })],
  [
    `GET ${one}/downloads/:direct_asset_path`,
    302,
    code,
    (at) => ({ path: { ...kept, direct_asset_path: `files/${at.releases.link}` } })
  ],
  [`GET ${one}/evidences/:evidence_id`, 200, code, (at) => ({ path: { ...kept, evidence_id: at.releases.evidence } })],
  [`POST ${releases}`, 201, developing, ({ own }) => ({ json: { tag_name: `released-${own}`, ref: "main" } })],
  [`PUT ${one}`, 200, developing, ({ own }) => ({ path: kept, json: { name: own } })],
  [`DELETE ${one}`, 200, developing, ({ own }) => ({ path: { tag_name: `doomed-${own}` } })],
  [`GET ${links}`, 200, reading, () => ({ path: kept })],
  [`GET ${links}/:link_id`, 200, reading, (at) => ({ path: link(at) })],
  [`POST ${links}`, 201, developing, ({ own }) => ({ path: kept, json: { name: own, url: `https://example.com/${own}` } })],
  [`PUT ${links}/:link_id`, 200, developing, (at) => ({ path: link(at), json: { name: `kept ${at.own}` } })],
  [`DELETE ${links}/:link_id`, 200, developing, ({ releases: { doomedLink } }) => ({ path: { ...kept, link_id: doomedLink } })]
]
