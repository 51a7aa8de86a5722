import type { ProjectRow } from "../../projects/Projects.ts"

const defaultPath = ".gitlab-ci.yml"

/** Where the configuration of a project's pipelines is. */
export const configPathOf = ({ ci_config_path }: Pick<ProjectRow, "ci_config_path">): string => ci_config_path || defaultPath

/** Whether a configuration is said to be in another project, or on another server, where nobody here looks for it. */
export const isElsewhere = (path: string): boolean => path.includes("@") || /^https?:\/\//i.test(path)
