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
  send: ["src/pages/serving"],
  "tar-stream": ["src/cli/relations", "src/exports/work", "src/pages/sites"],
  yauzl: ["src/pages/sites"],
  "bzip2-wasm": ["src/git/archive"],
  croner: ["src/schedules/cron"],
  "isomorphic-git": ["src/git/write"],
  "linguist-languages": ["src/projects/languages"],
  "markdown-it": ["src/markdown"],
  "node:child_process": ["src/platform/processes", "src/platform/sql/embedded", "src/git/process/gitVersion.ts"],
  "node:dns/promises": ["src/imports/remote/resolve.ts"],
  "node:fs": [
    "src/cli/relations",
    "src/exports/work",
    "src/git",
    "src/pages/sites",
    "src/platform/processes",
    "src/platform/sql/embedded",
    "projections"
  ],
  "node:fs/promises": [
    "src/cli",
    "src/exports",
    "src/git",
    "src/http/request/saveBody.ts",
    "src/imports/work",
    "src/pages/sites",
    "src/platform",
    "src/projects/languages/languageCache.ts",
    "src/uploads"
  ],
  "node:http": ["src/git/http", "src/http", "src/pages/serving", "src/platform/drain.ts"],
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
  "node:timers/promises": ["src/git/commitGraph"],
  "node:worker_threads": ["src/git/archive", "src/markdown"],
  "node:zlib": [
    "src/cli/relations",
    "src/exports/work",
    "src/git/http",
    "src/git/trees",
    "src/http/operations",
    "src/pages/sites"
  ],
  postgres: ["src/platform/sql"],
  "postgres-array": ["src/platform/sql"],
  re2js: ["src/changelog", "src/pipelines/config"],
  yaml: ["src/changelog", "src/pipelines/config"]
}
