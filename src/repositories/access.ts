import type { Access, GuardInput } from "../http/Endpoint.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { type ProjectRow, requireProject } from "../projects/Projects.ts"

/** The project of the path, if the caller may read its code. */
export const requireCode = ({ caller, path, request }: GuardInput<Access>) =>
  requireProject({ parameters: { id: path.id ?? null }, caller, request }, "read_code")

/** Web address of a project. */
export const projectUrl = (project: ProjectRow, { externalUrl }: RequestInfo): string =>
  `${externalUrl}/${project.path_with_namespace}`
