/** The areas of the interface with what they are about: the tags of the document. */
export const areas = {
  metadata: "The version of the interface and what the installation offers.",
  users: "Accounts: profiles, settings, and whether they may be used.",
  personalAccessTokens: "Tokens by which programs act for a user: their scopes, their end, their replacement.",
  keys: "Public SSH keys of users, and deploy keys, which belong to projects.",
  clusters: "Kubernetes clusters that are connected to the installation as a whole.",
  groups: "Groups, their subgroups, members and shares; and namespaces, which are groups and what users have instead of one.",
  projects: "Projects: settings, members, shares, forks, stars, protected branches and tags.",
  repositories: "What is in the repository of a project: files, commits, branches, tags, archives, comparisons, changelogs.",
  pipelines: "Pipelines of a project: what ran for a commit and how it went, and the statuses that services outside set.",
  pipelineSchedules: "Pipeline schedules: pipelines that are made again and again, at times that a cron expression tells.",
  deployments: "Environments of a project, what was deployed into them, and which merge requests came there by it.",
  pages: "Pages: static sites that projects publish, and how they are shown.",
  releases: "Releases of projects: what they say of a tag, links to what belongs to them, their milestones.",
  uploads: "Files that were uploaded to a project, for texts and releases to show or to lead to.",
  relationsExport: "Exports of projects, a file for each relation, by which a project is brought to another installation.",
  labels: "Labels of projects and of groups, by which issues and merge requests are sorted.",
  milestones: "Milestones of projects and of groups: what is to be reached, and by when.",
  issues: "Issues: what is to be done in a project, by whom and by when.",
  mergeRequests:
    "Merge requests: what is to be merged into a branch, who works on it and reviews it, and whether it can be merged.",
  todos: "To-do items: what waits for the caller, such as merge requests that are to be reviewed.",
  notes: "Notes about merge requests, and discussions of them, which can be resolved."
} as const

export type Area = keyof typeof areas
