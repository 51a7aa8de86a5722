import { code, developing } from "../rights.ts"
import type { Row } from "../row.ts"
import type { InProject } from "../useWorld.ts"

const environments = "/projects/:id/environments"
const deployments = "/projects/:id/deployments"
const environment = ({ deployed }: InProject) => ({ path: { environment_id: deployed.environment } })
const deployment = ({ deployed }: InProject) => ({ path: { deployment_id: deployed.deployment } })

export const deploymentRows: ReadonlyArray<Row<InProject>> = [
  [`GET ${environments}`, 200, code],
  [`POST ${environments}`, 201, developing, ({ own }) => ({ json: { name: own } })],
  [`GET ${environments}/:environment_id`, 200, code, environment],
  [
    `PUT ${environments}/:environment_id`,
    200,
    developing,
    (at) => ({ ...environment(at), json: { external_url: "https://a.example.com" } })
  ],
  [`POST ${environments}/:environment_id/stop`, 200, developing, environment],
  [
    `DELETE ${environments}/:environment_id`,
    204,
    developing,
    ({ doomedEnvironment }) => ({ path: { environment_id: doomedEnvironment } })
  ],
  [`GET ${deployments}`, 200, code],
  [
    `POST ${deployments}`,
    201,
    developing,
    ({ first, own }) => ({ json: { environment: own, sha: first, ref: "topic", tag: false, status: "running" } })
  ],
  [`GET ${deployments}/:deployment_id`, 200, code, deployment],
  [`PUT ${deployments}/:deployment_id`, 200, developing, (at) => ({ ...deployment(at), json: { status: "success" } })]
]
