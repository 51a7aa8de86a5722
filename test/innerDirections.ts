/**
 * The folders in each area, in order: what each may import of those before it. Of other areas it may import what its area may. "." is what lies
 * in the folder of the area itself, but for files that have a row of their own: those that other folders build on, or that join them.
 */
export const inside: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>> = {
  "src/kernel": {
    ".": [],
    json: []
  },
  "src/changelog": {
    template: [],
    ".": ["template"]
  },
  "src/platform/sql": {
    ".": [],
    embedded: ["."],
    "connect.ts": [".", "embedded"]
  },
  "src/platform": {
    logging: [],
    ".": ["logging"],
    "processes/spawner": [],
    secrets: ["logging", "."],
    work: ["logging"],
    processes: ["processes/spawner", "work"],
    reactions: [".", "work"]
  },
  "src/git": {
    ".": [],
    commitGraph: ["."],
    process: [".", "commitGraph"],
    "Repositories.ts": [".", "process"],
    "RepositoryTasks.ts": [".", "Repositories.ts"],
    objects: [".", "commitGraph", "process"],
    archive: [".", "process", "objects"],
    refs: [".", "process", "RepositoryTasks.ts", "objects"],
    history: [".", "commitGraph", "process", "objects", "refs"],
    diff: [".", "process", "objects", "history"],
    contributors: [".", "process", "objects", "refs", "history", "diff"],
    maintenance: [".", "commitGraph", "process", "RepositoryTasks.ts", "refs", "history", "contributors"],
    signatures: [".", "objects"],
    trees: [".", "process"],
    write: [".", "process", "objects", "trees"],
    merge: [".", "process", "objects", "refs", "history", "trees", "write"]
  },
  "src/git/http": {
    ".": [],
    fetches: ["."],
    push: ["."],
    "GitHttp.ts": [".", "fetches", "push"]
  },
  "src/http": {
    access: [],
    parameters: [],
    answer: ["access", "parameters"],
    request: ["parameters", "answer"],
    ".": ["access", "parameters", "answer", "request"],
    openapi: ["parameters", "answer", "."],
    operations: ["answer", "request", ".", "openapi"],
    server: ["access", "parameters", "answer", "request", ".", "operations"]
  },
  "src/users": {
    passwords: [],
    ".": ["passwords"],
    lifecycle: ["passwords", "."],
    reads: ["."],
    "handlers.ts": ["lifecycle", "reads"],
    signIns: ["passwords", "."]
  },
  "src/tokens": {
    ".": [],
    issue: ["."],
    authentication: [".", "issue"],
    "handlers.ts": [".", "issue"]
  },
  "src/groups": {
    ".": [],
    reads: ["."],
    sharing: [".", "reads"],
    tree: [".", "reads"],
    "handlers.ts": [".", "reads", "sharing", "tree"]
  },
  "src/projects": {
    settings: [],
    ".": ["settings"],
    languages: ["."],
    repository: ["."],
    protections: [".", "repository"],
    "ProjectProtections.ts": [".", "repository", "protections"],
    reads: [".", "repository"],
    "ProjectViews.ts": [".", "reads"],
    lifecycle: ["settings", ".", "repository", "protections", "reads"],
    sharing: ["."],
    stars: [".", "reads"],
    "handlers.ts": ["languages", "protections", "reads", "lifecycle", "sharing", "stars"]
  },
  "src/keys": {
    "ids.ts": [],
    deployKey: ["ids.ts"],
    userKey: ["ids.ts"],
    ".": ["deployKey", "userKey"],
    fingerprints: ["ids.ts", "deployKey", "userKey", "."],
    "writes.ts": ["ids.ts", "deployKey", "userKey", ".", "fingerprints"],
    endpoints: ["deployKey", "userKey", ".", "writes.ts"],
    "handlers.ts": [".", "endpoints"]
  },
  "src/repositories": {
    ".": [],
    blobs: ["."],
    archives: ["."],
    contributors: ["."],
    refs: ["."],
    commits: [".", "refs"],
    branches: [".", "refs", "commits"],
    comments: [".", "commits"],
    compare: [".", "commits"],
    files: [".", "blobs", "commits"],
    changelog: [".", "commits", "files"],
    tags: [".", "refs", "commits"],
    "Code.ts": [".", "refs", "commits", "compare", "changelog", "tags"],
    trees: ["."],
    "handlers.ts": ["blobs", "archives", "contributors", "compare", "changelog", "trees"]
  },
  "src/pipelines": {
    ".": [],
    config: ["."],
    "config/expressions": ["config"],
    "config/entries": ["config", "config/expressions"],
    "config/rules": ["config", "config/expressions", "config/entries"],
    "config/jobs": ["config", "config/entries", "config/rules"],
    "config/yaml": ["config"],
    "config/compilation": ["config", "config/entries", "config/rules", "config/jobs", "config/yaml"],
    creation: [".", "config", "config/compilation"],
    jobs: [".", "creation"],
    lists: ["."],
    pushes: [".", "creation"],
    statuses: [".", "creation"],
    "Pipelines.ts": [".", "creation", "lists", "pushes", "statuses"],
    upkeep: [".", "creation"],
    executors: [".", "config", "creation", "jobs", "upkeep"],
    "handlers.ts": [".", "creation", "jobs", "lists", "statuses", "executors"]
  },
  "src/schedules": {
    ".": [],
    runs: ["."],
    slots: ["."],
    scheduler: [".", "slots"],
    upkeep: ["."],
    variables: ["."],
    "handlers.ts": [".", "runs", "variables"]
  },
  "src/issuables": {
    ".": [],
    stateEvents: []
  },
  "src/pages": {
    ".": [],
    sites: ["."],
    serving: [".", "sites"],
    "writes.ts": [".", "sites"],
    "handlers.ts": [".", "sites", "writes.ts"]
  },
  "src/releases": {
    ".": [],
    evidence: ["."],
    links: ["."],
    "handlers.ts": [".", "links"]
  },
  "src/uploads": {
    ".": [],
    files: ["."],
    "writes.ts": [".", "files"],
    "handlers.ts": [".", "files", "writes.ts"]
  },
  "src/exports": {
    ".": [],
    files: ["."],
    work: [".", "files"],
    "handlers.ts": [".", "files"]
  },
  "src/deployments": {
    ".": [],
    environments: ["."],
    "handlers.ts": [".", "environments"]
  },
  "src/issues": {
    ".": [],
    awardEmoji: ["."],
    lists: ["."],
    stateEvents: ["."],
    "handlers.ts": [".", "awardEmoji", "lists", "stateEvents"]
  },
  "src/mergeRequests": {
    "events.ts": [],
    "ids.ts": [],
    "Queries.ts": ["events.ts", "ids.ts"],
    participation: ["ids.ts", "Queries.ts"],
    status: [],
    text: ["events.ts"],
    decisions: ["events.ts", "ids.ts", "text"],
    ".": ["events.ts", "ids.ts", "Queries.ts", "participation", "status", "text", "decisions"],
    awardEmoji: ["."],
    blocks: ["ids.ts", "Queries.ts", "."],
    closing: ["events.ts", "ids.ts", "text", "decisions", "."],
    collaboration: ["Queries.ts", "."],
    contextCommits: ["ids.ts", "."],
    diffs: ["ids.ts", "Queries.ts", "text", "."],
    labelEvents: ["Queries.ts", "."],
    lists: ["Queries.ts", "."],
    people: ["participation", "."],
    stateEvents: ["."],
    timeTracking: ["ids.ts", "decisions", "."],
    writes: ["events.ts", "ids.ts", "Queries.ts", "decisions", "."],
    reactions: ["events.ts", "ids.ts", "Queries.ts", "text", "decisions", ".", "writes"],
    approvals: ["ids.ts", "Queries.ts", "status", "decisions", ".", "reactions"],
    merging: ["events.ts", "ids.ts", "Queries.ts", "status", "text", "decisions", ".", "closing", "writes", "reactions"],
    autoMerge: [
      "events.ts",
      "ids.ts",
      "Queries.ts",
      "status",
      "decisions",
      ".",
      "blocks",
      "closing",
      "writes",
      "reactions",
      "merging"
    ],
    "mergeHandlers.ts": ["decisions", ".", "writes", "merging", "autoMerge"],
    pipelines: ["events.ts", "ids.ts", "Queries.ts", ".", "reactions", "merging"],
    rebasing: ["events.ts", "ids.ts", "Queries.ts", "decisions", ".", "collaboration", "reactions"],
    quickActions: [
      "events.ts",
      "Queries.ts",
      "participation",
      "text",
      "decisions",
      ".",
      "approvals",
      "closing",
      "writes",
      "merging",
      "autoMerge",
      "rebasing"
    ],
    editing: ["events.ts", "ids.ts", "decisions", ".", "closing", "writes", "quickActions"],
    pushOptions: ["ids.ts", "Queries.ts", "decisions", ".", "quickActions", "editing"],
    "MergeRequests.ts": ["ids.ts", "Queries.ts", "text", ".", "diffs", "autoMerge", "quickActions"],
    "handlers.ts": [
      "ids.ts",
      "Queries.ts",
      "decisions",
      ".",
      "approvals",
      "awardEmoji",
      "blocks",
      "closing",
      "contextCommits",
      "diffs",
      "labelEvents",
      "lists",
      "people",
      "stateEvents",
      "timeTracking",
      "writes",
      "reactions",
      "autoMerge",
      "mergeHandlers.ts",
      "pipelines",
      "rebasing",
      "editing"
    ]
  },
  "src/todos": {
    ".": [],
    reactions: ["."]
  },
  "src/notes": {
    ".": [],
    awardEmoji: ["."],
    discussions: ["."],
    kinds: ["."],
    "handlers.ts": [".", "awardEmoji", "discussions", "kinds"]
  },
  "src/imports": {
    ".": [],
    remote: [],
    work: [".", "remote"],
    "layer.ts": [".", "remote", "work"]
  },
  projections: {
    ".": [],
    awardEmoji: ["."],
    commitComments: ["."],
    imports: ["."],
    namespaces: ["."],
    clusters: [".", "namespaces"],
    issuables: [".", "namespaces"],
    keys: [".", "namespaces"],
    labels: [".", "namespaces"],
    milestones: [".", "namespaces"],
    issues: [".", "awardEmoji", "namespaces", "issuables", "milestones"],
    notes: ["."],
    pipelines: [".", "namespaces"],
    projects: [".", "namespaces"],
    pushes: ["."],
    schedules: [".", "pipelines"],
    stateEvents: ["."],
    todos: [".", "namespaces"],
    users: [".", "namespaces"],
    pages: ["."],
    deployments: [".", "users"],
    uploads: [".", "users"],
    releases: [".", "issuables", "milestones", "users"],
    "exports/records": [],
    exports: [".", "exports/records"],
    mergeRequests: [".", "awardEmoji", "namespaces", "issuables", "milestones", "pipelines", "users"],
    tokens: [".", "users"],
    "readModels.ts": [
      ".",
      "awardEmoji",
      "commitComments",
      "imports",
      "namespaces",
      "clusters",
      "keys",
      "labels",
      "milestones",
      "issues",
      "notes",
      "pipelines",
      "projects",
      "pushes",
      "schedules",
      "stateEvents",
      "todos",
      "users",
      "pages",
      "deployments",
      "uploads",
      "releases",
      "exports",
      "mergeRequests",
      "tokens"
    ]
  },
  "src/cli": {
    checks: [],
    ".": ["checks"],
    history: ["."],
    "relations/reading": [],
    "relations/shapes": [],
    relations: [".", "relations/reading", "relations/shapes"]
  }
}
