import type { ProjectRow } from "../../projects/Projects.ts"

const defaultPath = ".gitlab-ci.yml"

/** Where the configuration of a project's pipelines is. */
export const configPathOf = ({ ci_config_path }: Pick<ProjectRow, "ci_config_path">): string => ci_config_path || defaultPath
