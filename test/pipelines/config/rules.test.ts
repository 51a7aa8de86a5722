import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { compile } from "#src/pipelines/config/compilation/compile.ts"
import type { JobPlan } from "#src/pipelines/config/plan.ts"
import { compiled, filtered, type Given, invalid, job, namesIn, noJobs, planned, variable } from "./samples.ts"

/** A job with these rules, beside one that is always there. */
const withRules = (rules: string, more = ""): string => `other: {script: x}\na:\n  script: x\n  rules: ${rules}\n${more}`

describe("the first rule that holds decides", () => {
  const rows: ReadonlyArray<readonly [string, string, Partial<JobPlan> | undefined, Given?]> = [
    ["without conditions", "[{when: always}]", { when: "always" }],
    ["never", "[{when: never}]", undefined],
    ["not at all", "[{if: $NONE}]", undefined],
    ["without a when", "[{if: $CI_COMMIT_BRANCH}]", {}],
    ["the second one", "[{if: $NONE}, {if: $CI_COMMIT_BRANCH, when: manual}]", { when: "manual" }],
    ["before others that hold", "[{when: never}, {when: always}]", undefined],
    ["on failure", "[{when: on_failure}]", { when: "on_failure" }],
    ["manual, and waited for", "[{when: manual}]", { when: "manual" }],
    ["manual, and not waited for", "[{when: manual, allow_failure: true}]", { when: "manual", allowFailure: true }],
    ["with variables", "[{variables: {A: b, C: 1}}]", { variables: [variable("A", "b"), variable("C", "1")] }],
    ["interruptible", "[{interruptible: true}]", { interruptible: true }],
    ["with needs", "[{needs: [other]}]", { needs: [{ name: "other", artifacts: true }] }],
    ["with no needs", "[{needs: []}]", { needs: [] }],
    ["in lists of lists", "[[[{if: $NONE}], [{when: always}]], {when: never}]", { when: "always" }],
    ["by several conditions", "[{if: $CI_COMMIT_BRANCH, exists: [a], changes: [b]}]", {}, { paths: ["a"], changedPaths: ["b"] }],
    [
      "unless one of them fails",
      "[{if: $CI_COMMIT_BRANCH, exists: [a], changes: [b]}]",
      undefined,
      { paths: ["a"], changedPaths: ["c"] }
    ],
    ["by changes", "[{changes: ['*.md', src/**/*]}]", {}, { changedPaths: ["src/a/b"] }],
    ["by no changes", "[{changes: ['*.md']}]", undefined, { changedPaths: ["a.ts"] }],
    ["by changes that are not known", "[{changes: [a]}]", {}],
    ["by changes of nothing", "[{changes: ['**/*']}]", undefined, { changedPaths: [] }],
    ["by no patterns of changes", "[{changes: []}]", undefined, { changedPaths: ["a"] }],
    ["by paths of changes", "[{changes: {paths: [a]}}]", {}, { changedPaths: ["a"] }],
    [
      "by changes with variables",
      "[{changes: ['$DIR/*', '$NONE/x']}]",
      {},
      { changedPaths: ["src/a"], variables: { DIR: "$BASE", BASE: "src" } }
    ],
    ["by an unknown variable in changes", "[{changes: ['$NONE/x']}]", {}, { changedPaths: ["$NONE/x"] }],
    ["by what exists", "[{exists: [Dockerfile, '*.md']}]", {}, { paths: ["src/a", "README.md"] }],
    ["by what does not exist", "[{exists: [Dockerfile]}]", undefined, { paths: ["src/Dockerfile"] }],
    ["by one that exists", "[{exists: src/}]", {}, { paths: ["src/a"] }],
    ["by paths that exist", "[{exists: {paths: ['**/a']}}]", {}, { paths: ["src/a"] }],
    ["by what exists with variables", "[{exists: ['%DIR%/a']}]", {}, { paths: ["src/a"], variables: { DIR: "src" } }]
  ]
  it.each(rows.map(([name, rules, plan, given = {}]) => [name, rules, plan, given] as const))(
    "%s",
    async (_, rules, plan, given) => {
      expect(await compiled(withRules(rules), given)).toEqual(
        planned([job("other"), ...(plan === undefined ? [] : [job("a", plan)])])
      )
    }
  )
})

describe("rules and what the job says", () => {
  it.each<readonly [string, string, string, Partial<JobPlan>]>([
    ["a when of its own", "[{if: $CI_COMMIT_BRANCH}]", "when: manual", { when: "manual", allowFailure: true }],
    ["that rules replace", "[{when: always}]", "when: manual", { when: "always", allowFailure: true }],
    ["a failure that it allows", "[{when: manual}]", "allow_failure: true", { when: "manual", allowFailure: true }],
    ["that rules forbid", "[{allow_failure: false}]", "allow_failure: true", {}],
    ["codes of failure", "[{when: always}]", "allow_failure: {exit_codes: [3]}", { when: "always", allowFailureExitCodes: [3] }],
    ["that rules replace too", "[{allow_failure: true}]", "allow_failure: {exit_codes: [3]}", { allowFailure: true }],
    ["needs that rules replace", "[{needs: [other]}]", "needs: [none]", { needs: [{ name: "other", artifacts: true }] }],
    ["interruptible", "[{interruptible: false}]", "interruptible: true", {}],
    [
      "variables",
      "[{variables: {A: rule}}]",
      "variables: {A: job, B: job}",
      { variables: [variable("A", "rule"), variable("B", "job")] }
    ]
  ])("%s", async (_, rules, more, plan) => {
    const text = withRules(rules, `  ${more}\nnone: {script: x, rules: [{if: $NONE}]}\n`)
    expect(await compiled(text)).toEqual(planned([job("other"), job("a", plan)]))
  })
})

describe("the variables that rules see", () => {
  const sees = async (condition: string, given: Given) =>
    namesIn(
      await compiled(
        `
variables: {A: global, G: global, OVER: global, CI_COMMIT_BRANCH: mine}
a: {script: x, variables: {A: job, OVER: job}, rules: [{if: '${condition}', variables: {A: rule}}]}
b: {script: x}`,
        given
      )
    )

  it.each([
    '$A == "job"',
    '$G == "global"',
    '$OVER == "project"',
    '$CI_COMMIT_BRANCH == "mine"',
    '$CI_PIPELINE_SOURCE == "push"',
    '$CI_JOB_NAME == "a" && $CI_JOB_STAGE == "test" && $CI_NODE_TOTAL == "1"',
    '$AS_WRITTEN == "$A"',
    "$MISSING == null"
  ])("%s", async (condition) => {
    expect(await sees(condition, { variables: { OVER: "project", AS_WRITTEN: "$A" } })).toEqual(["a", "b"])
  })

  it("are those that a job inherits", async () => {
    const text = (inherit: string) => `
variables: {A: 1, B: 1}
a: {script: x, inherit: {variables: ${inherit}}, rules: [{if: $A}]}
b: {script: x}`
    const names = await Promise.all(
      ["true", "false", "[A]", "[B]"].map(async (inherit) => namesIn(await compiled(text(inherit))))
    )
    expect(names).toEqual([["a", "b"], ["b"], ["a", "b"], ["b"]])
  })
})

describe("rules of the workflow", () => {
  it.each<readonly [string, string, ReadonlyArray<string> | typeof filtered]>([
    ["hold", "[{if: $CI_COMMIT_BRANCH}]", ["a"]],
    ["say always", "[{when: always}]", ["a"]],
    ["say never", "[{when: never}]", filtered],
    ["do not hold", "[{if: $CI_COMMIT_TAG}]", filtered],
    ["say never before others", "[{if: $CI_COMMIT_BRANCH, when: never}, {when: always}]", filtered],
    ["look at changes", "[{changes: [a]}]", filtered],
    ["look at files", "[{exists: [a]}]", ["a"]],
    ["see variables of the configuration", '[{if: $V == "1"}]', ["a"]],
    ["see no variables of jobs", "[{if: $CI_JOB_NAME || $J}]", filtered]
  ])("%s", async (_, rules, result) => {
    const text = `variables: {V: 1}\nworkflow: {rules: ${rules}}\na: {script: x, variables: {J: 1}}`
    expect(namesIn(await compiled(text, { changedPaths: ["b"], paths: ["a"] }))).toEqual(result)
  })

  it("give variables to all jobs", async () => {
    const text = `
variables: {A: 1, B: 1, C: 1}
workflow: {rules: [{if: $CI_COMMIT_BRANCH, variables: {B: 2, D: 2}}]}
a: {script: x, variables: {C: 3}, rules: [{if: $D == "2"}]}
b: {script: x, inherit: {variables: [D]}}`
    expect(await compiled(text)).toEqual(
      planned([
        job("a", { variables: [variable("A", "1"), variable("B", "2"), variable("C", "3"), variable("D", "2")] }),
        job("b", { variables: [variable("D", "2")] })
      ])
    )
  })
})

describe("the name of the workflow", () => {
  it.each([
    ["Release", "Release"],
    ["'  For $CI_COMMIT_BRANCH  '", "For main"],
    [`'\${CI_COMMIT_BRANCH}/%A%/$NONE.'`, "main/1-main/."],
    ["$NONE", null],
    ["''", null]
  ])("%s is %s", async (name, expected) => {
    const text = `variables: {A: '$B-main', B: 1}\nworkflow: {name: ${name}}\na: {script: x}`
    expect(await compiled(text)).toEqual({
      ...planned([job("a", { variables: [variable("A", "$B-main"), variable("B", "1")] })]),
      name: expected
    })
  })

  it("has at most 255 characters, also once it is expanded", async () => {
    const text = (name: string) => `workflow: {name: ${name}}\na: {script: x}`
    const tooLong = invalid("Failed to build pipeline metadata! Name is too long (maximum is 255 characters)")
    const given = (length: number) => ({ variables: { LONG: "x".repeat(length) } })
    expect(await compiled(text("$LONG"), given(255))).toEqual({ ...planned([job("a")]), name: "x".repeat(255) })
    expect(await compiled(text("$LONG"), given(256))).toEqual(tooLong)
    expect(await compiled(text("x".repeat(256)))).toEqual(invalid("workflow name is too long (maximum is 255 characters)"))
  })
})

it("without a job, or with none but at the edges, there is no pipeline", async () => {
  expect(await compiled("a: {script: x, rules: [{if: $NONE}]}")).toEqual(noJobs)
  expect(await compiled("a: {script: x, only: [tags]}")).toEqual(noJobs)
  expect(await compiled("a: {script: x, stage: .pre}\nb: {script: x, stage: .post}")).toEqual(noJobs)
})

it("the commit is asked only where rules need it, and once", async () => {
  const asked: Array<string> = []
  const ask = <A>(what: string, answer: A) =>
    Effect.sync(() => {
      asked.push(what)
      return answer
    })
  const files = {
    read: (path: string) => ask(path, undefined),
    changedPaths: ask("changes", ["b"]),
    paths: ask("paths", ["b"])
  }
  const context = { source: "push", ref: "main", isTag: false, projectPath: "a/b", predefined: [], variables: [] } as const
  const questions = async (text: string) => {
    asked.length = 0
    await Effect.runPromise(compile(text, context, files))
    return [...asked]
  }
  expect(await questions("a: {script: x, rules: [{if: $NONE, exists: [a], changes: [a]}]}")).toEqual([])
  expect(
    await questions(
      "a: {script: x, rules: [{exists: [a]}, {changes: [a]}]}\nb: {script: x, rules: [{changes: [a]}, {exists: [a]}]}"
    )
  ).toEqual(["paths", "changes"])
})
