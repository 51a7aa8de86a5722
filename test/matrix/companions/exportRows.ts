import { grid } from "../grid.ts"
import type { Row } from "../row.ts"
import type { InProject } from "../useWorld.ts"

const exporting = grid`
                   anonymous   external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private          404project  404project  404project  404project  403    403       403        ok          ok     ok
  internal         404project  404project  403         403         403    403       403        ok          ok     ok
  public,archived  403         403         403         403         403    403       403        ok          ok     ok
`

const exports = "/projects/:id/export_relations"

export const exportRows: ReadonlyArray<Row<InProject>> = [
  [`GET ${exports}/status`, 200, exporting],
  [`GET ${exports}/download`, 200, exporting, () => ({ query: { relation: "labels" } })],
  [`POST ${exports}`, 202, exporting]
]
