/**
 * What each folder may import besides itself: other folders, or files. A folder that is not named belongs to the one around it.
 * Each knows only such as are before it.
 */
export const mayImport: Readonly<Record<string, ReadonlyArray<string>>> = {
  "src/kernel": [],
  "src/changelog": [],
  "src/version.ts": ["package.json"],
  "src/config.ts": ["src/kernel"],
  "src/platform/sql": ["src/kernel", "src/config.ts"],
  "src/platform/eventStore": ["src/platform/sql"],
  "src/platform/eventStore/eventStoreDb": ["src/kernel", "src/platform/eventStore"],
  "src/platform": ["src/kernel", "src/config.ts", "src/platform/sql", "src/platform/eventStore"],
  "src/platform/verification": ["src/kernel", "src/config.ts", "src/platform/sql", "src/platform/eventStore", "src/platform"],
  "src/git": ["src/kernel", "src/config.ts", "src/platform/sql", "src/platform"],
  "src/git/http": ["src/kernel", "src/platform", "src/git"],
  "src/http": ["src/kernel", "src/version.ts", "src/platform/sql", "src/platform/eventStore", "src/platform"],
  "src/markdown": ["src/platform"],
  "src/members": ["src/kernel", "src/platform", "src/http"],
  "src/users": ["src/kernel", "src/platform/eventStore", "src/platform", "src/http"],
  "src/tokens": ["src/kernel", "src/platform/eventStore", "src/platform", "src/http", "src/users"],
  "src/clusters": ["src/kernel", "src/platform/eventStore", "src/platform", "src/http"],
  "src/groups": [
    "src/kernel",
    "src/config.ts",
    "src/platform/sql",
    "src/platform/eventStore",
    "src/platform",
    "src/http",
    "src/members",
    "src/users"
  ],
  "src/projects": [
    "src/kernel",
    "src/version.ts",
    "src/config.ts",
    "src/platform/sql",
    "src/platform/eventStore",
    "src/platform",
    "src/git",
    "src/markdown",
    "src/http",
    "src/members",
    "src/users",
    "src/groups"
  ],
  "src/keys": ["src/kernel", "src/platform/eventStore", "src/platform", "src/http", "src/users", "src/projects"],
  "src/pushes": [
    "src/kernel",
    "src/config.ts",
    "src/platform/eventStore",
    "src/platform",
    "src/git",
    "src/git/http",
    "src/http",
    "src/members",
    "src/users",
    "src/projects"
  ],
  "src/repositories": [
    "src/kernel",
    "src/changelog",
    "src/config.ts",
    "src/platform/eventStore",
    "src/platform",
    "src/git",
    "src/http",
    "src/members",
    "src/users",
    "src/groups",
    "src/projects",
    "src/pushes"
  ],
  "src/pipelines": [
    "src/kernel",
    "src/config.ts",
    "src/platform/sql",
    "src/platform/eventStore",
    "src/platform",
    "src/git",
    "src/http",
    "src/members",
    "src/users",
    "src/projects",
    "src/pushes",
    "src/repositories"
  ],
  "src/schedules/cron": ["src/kernel"],
  "src/schedules": [
    "src/kernel",
    "src/config.ts",
    "src/platform/sql",
    "src/platform/eventStore",
    "src/platform",
    "src/http",
    "src/users",
    "src/projects",
    "src/pushes",
    "src/pipelines",
    "src/schedules/cron"
  ],
  "src/parents": ["src/http", "src/members", "src/groups", "src/projects"],
  "src/issuables": ["src/kernel", "src/http", "src/users", "src/projects"],
  "src/deployments": [
    "src/kernel",
    "src/platform/eventStore",
    "src/platform",
    "src/git",
    "src/http",
    "src/projects",
    "src/repositories"
  ],
  "src/labels": ["src/kernel", "src/platform/eventStore", "src/platform", "src/markdown", "src/http", "src/parents"],
  "src/milestones": ["src/kernel", "src/platform/eventStore", "src/platform", "src/http", "src/parents"],
  "src/awardEmoji": ["src/platform/eventStore", "src/platform", "src/http"],
  "src/issues": [
    "src/kernel",
    "src/platform/eventStore",
    "src/platform",
    "src/http",
    "src/members",
    "src/users",
    "src/groups",
    "src/projects",
    "src/issuables",
    "src/awardEmoji",
    "src/labels",
    "src/milestones"
  ],
  "src/mergeRequests": [
    "src/kernel",
    "src/config.ts",
    "src/platform/sql",
    "src/platform/eventStore",
    "src/platform",
    "src/git",
    "src/markdown",
    "src/http",
    "src/users",
    "src/groups",
    "src/projects",
    "src/pushes",
    "src/repositories",
    "src/pipelines",
    "src/parents",
    "src/issuables",
    "src/issues",
    "src/awardEmoji",
    "src/labels",
    "src/milestones"
  ],
  "src/todos": [
    "src/kernel",
    "src/platform/eventStore",
    "src/platform",
    "src/git",
    "src/http",
    "src/projects",
    "src/pushes",
    "src/pipelines",
    "src/mergeRequests"
  ],
  "src/notes": [
    "src/kernel",
    "src/platform/eventStore",
    "src/platform",
    "src/http",
    "src/members",
    "src/projects",
    "src/awardEmoji",
    "src/issues",
    "src/mergeRequests",
    "src/todos"
  ],
  "src/imports": [
    "src/kernel",
    "src/config.ts",
    "src/platform/sql",
    "src/platform/eventStore",
    "src/platform",
    "src/git",
    "src/projects",
    "src/pushes"
  ],
  projections: [
    "src/kernel",
    "src/version.ts",
    "src/platform/sql",
    "src/platform/eventStore",
    "src/platform",
    "src/http",
    "src/members",
    "src/users",
    "src/tokens",
    "src/clusters",
    "src/groups",
    "src/projects",
    "src/keys",
    "src/pushes",
    "src/repositories",
    "src/imports",
    "src/pipelines",
    "src/schedules",
    "src/parents",
    "src/deployments",
    "src/issuables",
    "src/awardEmoji",
    "src/labels",
    "src/milestones",
    "src/issues",
    "src/mergeRequests",
    "src/todos",
    "src/notes"
  ],
  "src/bootstrap.ts": ["src/kernel", "src/config.ts", "src/platform", "src/users", "src/tokens"],
  "src/cli": [
    "src/kernel",
    "src/version.ts",
    "src/config.ts",
    "src/platform/sql",
    "src/platform/eventStore",
    "src/platform",
    "src/platform/verification",
    "src/git",
    "src/http",
    "src/users",
    "src/tokens",
    "src/clusters",
    "src/groups",
    "src/projects",
    "src/keys",
    "src/pushes",
    "src/pipelines",
    "src/schedules",
    "src/mergeRequests",
    "src/todos",
    "src/notes",
    "src/imports",
    "src/bootstrap.ts"
  ],
  "src/composition.ts": [
    "src/config.ts",
    "src/platform/sql",
    "src/platform/eventStore",
    "src/platform/eventStore/eventStoreDb",
    "src/platform",
    "src/git",
    "src/git/http",
    "src/http",
    "src/markdown",
    "src/users",
    "src/tokens",
    "src/clusters",
    "src/groups",
    "src/projects",
    "src/keys",
    "src/pushes",
    "src/repositories",
    "src/imports",
    "src/pipelines",
    "src/schedules",
    "src/deployments",
    "src/labels",
    "src/milestones",
    "src/issues",
    "src/mergeRequests",
    "src/todos",
    "src/notes",
    "projections"
  ],
  "src/program.ts": ["src/version.ts", "src/config.ts", "src/platform/sql", "src/platform", "src/cli", "src/composition.ts"],
  "src/main.js": ["src/program.ts"]
}

/**
 * The files of each area that others may import, besides every `events.ts` and `ids.ts`: what they may ask of it, and what it asks of
 * areas after it, which they answer.
 */
export const ports: Readonly<Record<string, ReadonlyArray<string>>> = {
  "src/users": ["Users.ts", "OwnedGroups.ts", "PersonalProjects.ts", "passwords/SignIns.ts"],
  "src/tokens": ["Tokens.ts"],
  "src/clusters": ["ManagementProjects.ts"],
  "src/groups": ["Groups.ts", "GroupProjects.ts", "requireGroup.ts"],
  "src/projects": ["Projects.ts", "ProjectImports.ts", "ProjectPushes.ts", "ProjectViews.ts"],
  "src/keys": [],
  "src/pushes": ["Pushes.ts"],
  "src/repositories": ["CommitMergeRequests.ts", "CommitPipelines.ts", "Code.ts", "MergedRequests.ts", "commits/SigningKeys.ts"],
  "src/pipelines": ["Pipelines.ts", "creation/ScheduleVariables.ts"],
  "src/schedules": [],
  "src/awardEmoji": ["AwardEmoji.ts", "Reaction.ts"],
  "src/labels": ["Labels.ts"],
  "src/milestones": ["Milestones.ts"],
  "src/issues": ["Issues.ts"],
  "src/mergeRequests": ["MergeRequests.ts", "text/drafts.ts", "text/systemNotes.ts", "text/taskCompletion.ts"],
  "src/todos": ["Todos.ts"],
  "src/deployments": [],
  "src/notes": ["discussionIds.ts"],
  "src/imports": []
}

/** These answer every `Queries.ts` too. */
export const answering = "projections"

/** Files of what is shared that these folders alone may import. */
export const reserved: Readonly<Record<string, ReadonlyArray<string>>> = {
  "src/platform/repeats/CurrentRun.ts": ["src/platform", "src/http/server"]
}

/** What joins the parts of the program, and so may import any file of an area. */
export const joining = ["src/cli", "src/bootstrap.ts", "src/composition.ts"]

/**
 * What decides in an area. It may import what decides, and what is pure, and so may that: nothing of it leads to what can wait. Of packages it
 * knows `effect`, and what is pure those that are named beside it, which only compute.
 */
export const deciding: {
  readonly files: ReadonlyArray<string>
  readonly pure: Readonly<Record<string, ReadonlyArray<string>>>
} = {
  files: [
    "aggregate.ts",
    "commands.ts",
    "decide.ts",
    "decideTime.ts",
    "errors.ts",
    "events.ts",
    "faults.ts",
    "ids.ts",
    "state.ts"
  ],
  pure: {
    "src/kernel": ["node:crypto", "node:net"],
    "src/platform/Aggregate.ts": [],
    "src/platform/eventStore/codec.ts": [],
    "src/git/refs/refNames.ts": [],
    "src/members/levels.ts": [],
    "src/members/rules.ts": [],
    "src/members/shares.ts": [],
    "src/users/lifecycle/profile.ts": [],
    "src/users/passwords/isCommonPassword.ts": [],
    "src/users/username.ts": [],
    "src/projects/settings/settings.ts": [],
    "src/keys/sshBlob.ts": [],
    "src/keys/sshPublicKey.ts": ["node:crypto"],
    "src/pipelines/processing.ts": [],
    "src/pipelines/status.ts": [],
    "src/schedules/cron": ["croner", "lru-cache"],
    "src/schedules/timing.ts": ["lru-cache"],
    "src/parents/Parent.ts": [],
    "src/issuables/textFaults.ts": [],
    "src/labels/color.ts": [],
    "src/labels/cssColors.ts": [],
    "src/mergeRequests/approvals/approvals.ts": [],
    "src/mergeRequests/labeling.ts": [],
    "src/mergeRequests/text/drafts.ts": []
  }
}

/** Where each package, and each module of Node's, may be imported: in files, or folders with all that is in them. */
export const packages: Readonly<Record<string, ReadonlyArray<string>>> = {
  effect: ["src", "projections"],
  "lru-cache": ["src", "projections"],
  "node:buffer": ["src"],
  "node:crypto": ["src"],
  "node:events": ["src"],
  "node:path": ["src"],
  "node:stream": ["src"],
  "node:stream/consumers": ["src"],
  "node:stream/promises": ["src"],
  "node:string_decoder": ["src"],
  "node:url": ["src"],
  "node:util": ["src"],
  // What reaches out of the program, or is slow, is for one part of it.
  "@effect/platform-node": ["src/git/objects", "src/http/server", "src/repositories/blobs", "src/program.ts"],
  "@eventstore/db-client": ["src/platform/eventStore/eventStoreDb"],
  "bzip2-wasm": ["src/git/archive"],
  croner: ["src/schedules/cron"],
  "isomorphic-git": ["src/git/write"],
  "linguist-languages": ["src/projects/languages"],
  "markdown-it": ["src/markdown"],
  "node:child_process": ["src/platform/processes", "src/platform/sql/embedded", "src/git/process/gitVersion.ts"],
  "node:dns/promises": ["src/imports/ImportLimits.ts"],
  "node:fs": ["src/git", "src/platform/processes", "src/platform/sql/embedded", "projections"],
  "node:fs/promises": ["src/cli", "src/git", "src/imports/work", "src/platform", "src/projects/languages/languageCache.ts"],
  "node:http": ["src/git/http", "src/http", "src/platform/drain.ts"],
  "node:module": ["src/platform/sql/embedded", "src/main.js"],
  "node:net": [
    "src/http/server",
    "src/imports/remote",
    "src/kernel/clientAddress.ts",
    "src/platform/processes/spawner",
    "src/platform/sql/embedded"
  ],
  "node:os": [
    "src/git/process/Spools.ts",
    "src/git/write",
    "src/platform/processes",
    "src/platform/sql/embedded",
    "src/platform/work"
  ],
  "node:perf_hooks": ["src/http/operations"],
  "node:timers/promises": ["src/git/history"],
  "node:worker_threads": ["src/git/archive", "src/markdown"],
  "node:zlib": ["src/git/http", "src/git/trees", "src/http/operations"],
  postgres: ["src/platform/sql"],
  "postgres-array": ["src/platform/sql"],
  re2js: ["src/changelog", "src/pipelines/config"],
  yaml: ["src/changelog", "src/pipelines/config"]
}
