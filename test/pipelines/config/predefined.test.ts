import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { type PipelineFacts, predefinedJobVariables, predefinedVariables } from "#src/pipelines/config/predefined.ts"

const facts: PipelineFacts = {
  server: { url: "https://forge.example.com", version: "17.4.1", revision: "4f0c1d2" },
  project: {
    id: 7,
    name: "The Engine",
    description: "Computes",
    path: "Tools/deep/engine.js",
    namespaceId: 3,
    url: "https://forge.example.com/Tools/deep/engine.js",
    visibility: "internal",
    defaultBranch: "main",
    configPath: "ci/all.yml"
  },
  pipeline: {
    id: 41,
    iid: 5,
    source: "push",
    ref: "feature/Login_page",
    isTag: false,
    isProtected: false,
    beforeSha: "0".repeat(40),
    createdAt: "2026-01-02T03:04:05.000Z",
    name: null,
    openMergeRequests: [],
    scheduleDescription: null
  },
  commit: {
    sha: "1234567890abcdef1234567890abcdef12345678",
    message: "Add the login page\n\nIt has a form.\n",
    author: "Ada <ada@example.com>",
    timestamp: "2026-01-02T04:00:00+01:00",
    tagMessage: null
  },
  mergeRequest: null,
  user: { id: 9, username: "ada", name: "Ada Lovelace", email: "ada@example.com" }
}

const variablesOf = (made: PipelineFacts) => Object.fromEntries(predefinedVariables(made).map(({ key, value }) => [key, value]))

it("tell of a branch", () => {
  expect(variablesOf(facts)).toEqual({
    CI: "true",
    GITLAB_CI: "true",
    CI_SERVER: "yes",
    CI_SERVER_URL: "https://forge.example.com",
    CI_SERVER_HOST: "forge.example.com",
    CI_SERVER_FQDN: "forge.example.com",
    CI_SERVER_PORT: "443",
    CI_SERVER_PROTOCOL: "https",
    CI_SERVER_NAME: "Chronoforge",
    CI_SERVER_VERSION: "17.4.1",
    CI_SERVER_VERSION_MAJOR: "17",
    CI_SERVER_VERSION_MINOR: "4",
    CI_SERVER_VERSION_PATCH: "1",
    CI_SERVER_REVISION: "4f0c1d2",
    CI_API_V4_URL: "https://forge.example.com/api/v4",
    CI_PROJECT_ID: "7",
    CI_PROJECT_NAME: "engine.js",
    CI_PROJECT_TITLE: "The Engine",
    CI_PROJECT_DESCRIPTION: "Computes",
    CI_PROJECT_PATH: "Tools/deep/engine.js",
    CI_PROJECT_PATH_SLUG: "tools-deep-engine-js",
    CI_PROJECT_NAMESPACE: "Tools/deep",
    CI_PROJECT_NAMESPACE_ID: "3",
    CI_PROJECT_ROOT_NAMESPACE: "Tools",
    CI_PROJECT_URL: "https://forge.example.com/Tools/deep/engine.js",
    CI_PROJECT_VISIBILITY: "internal",
    CI_DEFAULT_BRANCH: "main",
    CI_CONFIG_PATH: "ci/all.yml",
    CI_PIPELINE_ID: "41",
    CI_PIPELINE_IID: "5",
    CI_PIPELINE_URL: "https://forge.example.com/Tools/deep/engine.js/-/pipelines/41",
    CI_PIPELINE_SOURCE: "push",
    CI_PIPELINE_CREATED_AT: "2026-01-02T03:04:05.000Z",
    CI_COMMIT_SHA: "1234567890abcdef1234567890abcdef12345678",
    CI_COMMIT_SHORT_SHA: "12345678",
    CI_COMMIT_BEFORE_SHA: "0".repeat(40),
    CI_COMMIT_REF_NAME: "feature/Login_page",
    CI_COMMIT_REF_SLUG: "feature-login-page",
    CI_COMMIT_BRANCH: "feature/Login_page",
    CI_COMMIT_MESSAGE: "Add the login page\n\nIt has a form.\n",
    CI_COMMIT_MESSAGE_IS_TRUNCATED: "false",
    CI_COMMIT_TITLE: "Add the login page",
    CI_COMMIT_DESCRIPTION: "\nIt has a form.",
    CI_COMMIT_REF_PROTECTED: "false",
    CI_COMMIT_TIMESTAMP: "2026-01-02T04:00:00+01:00",
    CI_COMMIT_AUTHOR: "Ada <ada@example.com>",
    GITLAB_USER_ID: "9",
    GITLAB_USER_LOGIN: "ada",
    GITLAB_USER_NAME: "Ada Lovelace",
    GITLAB_USER_EMAIL: "ada@example.com"
  })
})

type Parts = Omit<PipelineFacts, "mergeRequest">
type Changes = { readonly [Part in keyof Parts]?: Partial<Parts[Part]> } & Partial<Pick<PipelineFacts, "mergeRequest">>

const withFacts = (changes: Changes): PipelineFacts => ({
  server: { ...facts.server, ...changes.server },
  project: { ...facts.project, ...changes.project },
  pipeline: { ...facts.pipeline, ...changes.pipeline },
  commit: { ...facts.commit, ...changes.commit },
  mergeRequest: changes.mergeRequest ?? null,
  user: { ...facts.user, ...changes.user }
})

const mergeRequest = {
  id: 84,
  iid: 14,
  projectId: 7,
  projectPath: "Tools/deep/engine.js",
  targetBranch: "main",
  isTargetProtected: true,
  sourceProjectId: 8,
  sourceProjectPath: "ada/engine.js",
  sourceBranch: "feature/Login_page",
  isSourceProtected: false,
  title: "Add the login page",
  description: "It has",
  isDescriptionCut: true,
  assignees: ["ada", "ben", "cy"],
  squash: false,
  versionId: 110,
  baseSha: "b".repeat(40)
}

const ofMergeRequest = {
  CI_MERGE_REQUEST_ID: "84",
  CI_MERGE_REQUEST_IID: "14",
  CI_MERGE_REQUEST_REF_PATH: "refs/merge-requests/14/head",
  CI_MERGE_REQUEST_EVENT_TYPE: "detached",
  CI_MERGE_REQUEST_PROJECT_ID: "7",
  CI_MERGE_REQUEST_PROJECT_PATH: "Tools/deep/engine.js",
  CI_MERGE_REQUEST_PROJECT_URL: "https://forge.example.com/Tools/deep/engine.js",
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
  CI_MERGE_REQUEST_TARGET_BRANCH_PROTECTED: "true",
  CI_MERGE_REQUEST_TARGET_BRANCH_SHA: "",
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "8",
  CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: "ada/engine.js",
  CI_MERGE_REQUEST_SOURCE_PROJECT_URL: "https://forge.example.com/ada/engine.js",
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: "feature/Login_page",
  CI_MERGE_REQUEST_SOURCE_BRANCH_PROTECTED: "false",
  CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: "",
  CI_MERGE_REQUEST_TITLE: "Add the login page",
  CI_MERGE_REQUEST_DESCRIPTION: "It has",
  CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED: "true",
  CI_MERGE_REQUEST_ASSIGNEES: "ada, ben, and cy",
  CI_MERGE_REQUEST_SQUASH_ON_MERGE: "false",
  CI_MERGE_REQUEST_DIFF_ID: "110",
  CI_MERGE_REQUEST_DIFF_BASE_SHA: "b".repeat(40),
  CI_COMMIT_BRANCH: undefined
}

type Values = Readonly<Record<string, string | undefined>>

/** What the second has otherwise than the first. */
const differences = (one: Values, other: Values): Values =>
  Object.fromEntries(
    Object.keys({ ...one, ...other })
      .filter((key) => one[key] !== other[key])
      .map((key) => [key, other[key]])
  )

const maxBytes = 100_000
const longMessage = `${"é".repeat(60_000)}\nmore`

describe("tell, apart from that, of", () => {
  it.each<readonly [string, Changes, Values]>([
    [
      "a merge request",
      { pipeline: { source: "merge_request_event", ref: "refs/merge-requests/14/head" }, mergeRequest },
      { ...ofMergeRequest, CI_PIPELINE_SOURCE: "merge_request_event" }
    ],
    [
      "a branch of which merge requests are open",
      { pipeline: { openMergeRequests: ["tools/engine!1", "tools/engine!2"] } },
      { CI_OPEN_MERGE_REQUESTS: "tools/engine!1,tools/engine!2" }
    ],
    [
      "a merge request of two people without a description",
      { mergeRequest: { ...mergeRequest, description: null, isDescriptionCut: false, assignees: ["ada", "ben"] } },
      {
        ...ofMergeRequest,
        CI_MERGE_REQUEST_ASSIGNEES: "ada and ben",
        CI_MERGE_REQUEST_DESCRIPTION: "",
        CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED: "false"
      }
    ],
    [
      "a tag",
      { pipeline: { isTag: true, ref: "v1.0", isProtected: true }, commit: { tagMessage: "The first" } },
      {
        CI_COMMIT_BRANCH: undefined,
        CI_COMMIT_TAG: "v1.0",
        CI_COMMIT_TAG_MESSAGE: "The first",
        CI_COMMIT_REF_NAME: "v1.0",
        CI_COMMIT_REF_SLUG: "v1-0",
        CI_COMMIT_REF_PROTECTED: "true"
      }
    ],
    [
      "a schedule",
      { pipeline: { source: "schedule", scheduleDescription: "Nightly", name: "All" } },
      { CI_PIPELINE_SOURCE: "schedule", CI_PIPELINE_SCHEDULE_DESCRIPTION: "Nightly", CI_PIPELINE_NAME: "All" }
    ],
    ["a trigger", { pipeline: { source: "trigger" } }, { CI_PIPELINE_SOURCE: "trigger", CI_PIPELINE_TRIGGERED: "true" }],
    [
      "a project without a description and a default branch",
      { project: { description: null, defaultBranch: null } },
      { CI_PROJECT_DESCRIPTION: undefined, CI_DEFAULT_BRANCH: undefined }
    ],
    [
      "a server below a path, at a port",
      { server: { url: "http://localhost:8080/forge" } },
      {
        CI_SERVER_URL: "http://localhost:8080/forge",
        CI_SERVER_HOST: "localhost",
        CI_SERVER_FQDN: "localhost:8080",
        CI_SERVER_PORT: "8080",
        CI_SERVER_PROTOCOL: "http",
        CI_API_V4_URL: "http://localhost:8080/forge/api/v4"
      }
    ],
    [
      "a server at the port of its protocol",
      { server: { url: "http://forge.example.com" } },
      {
        CI_SERVER_URL: "http://forge.example.com",
        CI_SERVER_PORT: "80",
        CI_SERVER_PROTOCOL: "http",
        CI_API_V4_URL: "http://forge.example.com/api/v4"
      }
    ],
    [
      "a message of one line",
      { commit: { message: "One" } },
      { CI_COMMIT_MESSAGE: "One", CI_COMMIT_TITLE: "One", CI_COMMIT_DESCRIPTION: "" }
    ],
    [
      "a title of 100 characters",
      { commit: { message: `${"x".repeat(100)}\nrest` } },
      {
        CI_COMMIT_MESSAGE: `${"x".repeat(100)}\nrest`,
        CI_COMMIT_TITLE: "x".repeat(100),
        CI_COMMIT_DESCRIPTION: `${"x".repeat(100)}\nrest`
      }
    ],
    [
      "a title of 99 characters",
      { commit: { message: `${"x".repeat(99)}\nrest` } },
      { CI_COMMIT_MESSAGE: `${"x".repeat(99)}\nrest`, CI_COMMIT_TITLE: "x".repeat(99), CI_COMMIT_DESCRIPTION: "rest" }
    ],
    [
      "a message that is too long",
      { commit: { message: longMessage } },
      {
        CI_COMMIT_MESSAGE: "é".repeat(maxBytes / 2),
        CI_COMMIT_TITLE: "é".repeat(maxBytes / 2),
        CI_COMMIT_DESCRIPTION: "é".repeat(maxBytes / 2),
        CI_COMMIT_MESSAGE_IS_TRUNCATED: "true"
      }
    ],
    [
      "a message that is cut in a character",
      { commit: { message: `a\n${"é".repeat(50_000)}` } },
      {
        CI_COMMIT_MESSAGE: `a\n${"é".repeat(maxBytes / 2 - 1)}`,
        CI_COMMIT_TITLE: "a",
        CI_COMMIT_DESCRIPTION: "é".repeat(maxBytes / 2),
        CI_COMMIT_MESSAGE_IS_TRUNCATED: "true"
      }
    ],
    [
      "a ref of many characters",
      { pipeline: { ref: `--Größe/${"x".repeat(80)}` } },
      {
        CI_COMMIT_REF_NAME: `--Größe/${"x".repeat(80)}`,
        CI_COMMIT_BRANCH: `--Größe/${"x".repeat(80)}`,
        CI_COMMIT_REF_SLUG: `gr--e-${"x".repeat(55)}`
      }
    ]
  ])("%s", (_, changes, expected) => {
    expect(differences(variablesOf(facts), variablesOf(withFacts(changes)))).toEqual(expected)
  })
})

it("tell of a job", () => {
  expect(predefinedJobVariables({ name: "Unit tests 2/3", stage: "test", parallel: { index: 2, total: 3 } })).toEqual([
    { key: "CI_JOB_NAME", value: "Unit tests 2/3" },
    { key: "CI_JOB_NAME_SLUG", value: "unit-tests-2-3" },
    { key: "CI_JOB_STAGE", value: "test" },
    { key: "CI_NODE_INDEX", value: "2" },
    { key: "CI_NODE_TOTAL", value: "3" }
  ])
  expect(predefinedJobVariables({ name: "lint", stage: "build" })).toEqual([
    { key: "CI_JOB_NAME", value: "lint" },
    { key: "CI_JOB_NAME_SLUG", value: "lint" },
    { key: "CI_JOB_STAGE", value: "build" },
    { key: "CI_NODE_TOTAL", value: "1" }
  ])
})

it("ARCHITECTURE.md names all of them, and no others", () => {
  const project = { id: 7, name: "The Engine", path: "tools/engine" }
  const tag = {
    isTag: true,
    source: "trigger",
    name: "Nightly",
    openMergeRequests: ["a/b!1"],
    scheduleDescription: "each night"
  } as const
  const all = [
    ...predefinedVariables(withFacts({ project, pipeline: tag, commit: { tagMessage: "First" } })),
    ...predefinedVariables(facts),
    ...predefinedVariables(withFacts({ mergeRequest })),
    ...predefinedJobVariables({ name: "a", stage: "b", parallel: { index: 1, total: 2 } })
  ]
  // What only executors are given is not known here.
  const expected = new Set([...all.map(({ key }) => key), "CI_JOB_ID", "CI_JOB_URL"])
  const [, paragraph = ""] = readFileSync("ARCHITECTURE.md", "utf8").split("**Predefined variables**")
  const told = new Set([...(paragraph.split("\n\n")[0] ?? "").matchAll(/`([A-Z_0-9]+)`/g)].map(([, name]) => name))
  expect([...told].toSorted()).toEqual([...expected].toSorted())
})
