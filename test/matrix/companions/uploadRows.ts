import { grid } from "../grid.ts"
import { reading } from "../rights.ts"
import type { Row } from "../row.ts"
import type { InProject } from "../useWorld.ts"

const uploading = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   401        404project  404project  404project  ok     ok        ok         ok          ok     ok
  internal  401        404project  ok          ok          ok     ok        ok         ok          ok     ok
  public    401        ok          ok          ok          ok     ok        ok         ok          ok     ok
  archived  401        403         403         403         403    403       403        403         403    403
`

const seeing = grid`
                   anonymous   external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private          404project  404project  404project  404project  403    403       403        ok          ok     ok
  internal         404project  404project  403         403         403    403       403        ok          ok     ok
  public,archived  403         403         403         403         403    403       403        ok          ok     ok
`

const removing = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   401        404project  404project  404project  403    403       403        ok          ok     ok
  internal  401        404project  403         403         403    403       403        ok          ok     ok
  public    401        403         403         403         403    403       403        ok          ok     ok
  archived  401        403         403         403         403    403       403        403         403    403
`

const uploads = "/projects/:id/uploads"
const [byId, byName] = [`${uploads}/:upload_id`, `${uploads}/:secret/:filename`] as const
const named = ({ secret }: InProject["uploads"]["kept"]) => ({ path: { secret, filename: "a.txt" } })

export const uploadRows: ReadonlyArray<Row<InProject>> = [
  [`POST ${uploads}`, 201, uploading, ({ own }) => ({ multipart: { file: new File(["a"], `${own}.txt`) } })],
  [`GET ${uploads}`, 200, seeing],
  [`GET ${byId}`, 200, seeing, (at) => ({ path: { upload_id: at.uploads.kept.id } })],
  [`GET ${byName}`, 200, reading, (at) => named(at.uploads.kept)],
  [`DELETE ${byId}`, 204, removing, (at) => ({ path: { upload_id: at.uploads.doomed.id } })],
  [`DELETE ${byName}`, 204, removing, (at) => named(at.uploads.doomedToo)]
]
