import { describe, expect, it } from "vitest"
import type { Compiled } from "#src/pipelines/config/plan.ts"
import { compiled, invalid, job, planned, variable } from "./samples.ts"

const need = (name: string, artifacts = true) => ({ name, artifacts })
const missing = (name: string, needed: string): string =>
  `'${name}' job needs '${needed}' job, but '${needed}' does not exist in the pipeline. This might be because of the only, except, or rules keywords. To need a job that sometimes does not exist in the pipeline, use needs:optional.`

const build = job("b", { stage: "build" })
const gone = "g: {script: x, stage: build, rules: [{when: never}]}"

describe("needs", () => {
  it.each<readonly [string, string, Compiled]>([
    ["of nothing", "a: {script: x, needs: []}", planned([job("a", { needs: [] })])],
    ["of a job", "b: {script: x, stage: build}\na: {script: x, needs: [b]}", planned([build, job("a", { needs: [need("b")] })])],
    [
      "in their long form",
      "b: {script: x, stage: build}\na: {script: x, needs: [{job: b, artifacts: false}]}",
      planned([build, job("a", { needs: [need("b", false)] })])
    ],
    [
      "as one map",
      "b: {script: x, stage: build}\na: {script: x, needs: {job: b}}",
      planned([build, job("a", { needs: [need("b")] })])
    ],
    [
      "in lists of lists",
      "b: {script: x, stage: build}\na: {script: x, needs: [[[b]]]}",
      planned([build, job("a", { needs: [need("b")] })])
    ],
    [
      "of a job that comes later in the file",
      "a: {script: x, needs: [c]}\nc: {script: x}",
      planned([job("a", { needs: [need("c")] }), job("c")])
    ],
    ["of the same stage", "c: {script: x}\na: {script: x, needs: [c]}", planned([job("c"), job("a", { needs: [need("c")] })])],
    ["of a job that rules leave out", `${gone}\na: {script: x, needs: [g]}`, invalid(missing("a", "g"))],
    [
      "of several jobs that rules leave out",
      `${gone}\na: {script: x, needs: [g]}\nc: {script: x, needs: [g]}`,
      invalid(missing("a", "g"), missing("c", "g"))
    ],
    ["that may be missing", `${gone}\na: {script: x, needs: [{job: g, optional: true}]}`, planned([job("a", { needs: [] })])],
    ["of a job that need not be there", "a: {script: x, needs: [{job: n, optional: true}]}", planned([job("a", { needs: [] })])],
    ["of a job that is not there", "a: {script: x, needs: [n]}", invalid("a job: undefined need: n")],
    ["of a hidden job", ".h: {script: x}\na: {script: x, needs: [.h]}", invalid("a job: undefined need: .h")],
    [
      "of a later stage",
      "a: {script: x, needs: [d]}\nd: {script: x, stage: deploy}",
      invalid("a job: need d is not defined in current or prior stages")
    ],
    [
      "twice of the same",
      "b: {script: x, stage: build}\na: {script: x, needs: [b, b]}",
      invalid("a has the following needs duplicated: b.")
    ],
    ["of itself", "a: {script: x, needs: [a]}", invalid("The pipeline has circular dependencies: self-dependency: a")],
    [
      "in a circle",
      "a: {script: x, needs: [b]}\nb: {script: x, needs: [c]}\nc: {script: x, needs: [a]}\nd: {script: x, needs: [a]}",
      invalid('The pipeline has circular dependencies: topological sort failed: ["a", "b", "c"]')
    ],
    [
      "in a circle that rules make",
      "a: {script: x, rules: [{needs: [b]}]}\nb: {script: x, needs: [a]}",
      invalid('The pipeline has circular dependencies: topological sort failed: ["a", "b"]')
    ],
    ["of rules of a job that is not there", "a: {script: x, rules: [{if: $X, needs: [n]}]}", invalid("a job: undefined need: n")],
    ["of rules, of a job left out", `${gone}\na: {script: x, rules: [{needs: [g]}]}`, invalid(missing("a", "g"))],
    [
      "of a parallel job are of all of it",
      "b: {script: x, stage: build, parallel: 2}\na: {script: x, needs: [{job: b, artifacts: false}]}",
      planned([
        job("b 1/2", { stage: "build", parallel: { index: 1, total: 2 } }),
        job("b 2/2", { stage: "build", parallel: { index: 2, total: 2 } }),
        job("a", { needs: [need("b 1/2", false), need("b 2/2", false)] })
      ])
    ],
    [
      "of some of a parallel job",
      "b: {script: x, stage: build, parallel: {matrix: [{V: [1, 2], W: [3, 4]}]}}\na: {script: x, needs: [{job: b, parallel: {matrix: [{V: 1, W: [3, 4]}]}}]}",
      planned([
        ...[
          [1, 3],
          [1, 4],
          [2, 3],
          [2, 4]
        ].map(([v, w], index) =>
          job(`b: [${v}, ${w}]`, {
            stage: "build",
            parallel: { index: index + 1, total: 4 },
            variables: [variable("V", `${v}`), variable("W", `${w}`)]
          })
        ),
        job("a", { needs: [need("b: [1, 3]"), need("b: [1, 4]")] })
      ])
    ],
    [
      "of some of a parallel job that are not there",
      "b: {script: x, stage: build, parallel: {matrix: [{V: [1, 2]}]}}\na: {script: x, needs: [{job: b, parallel: {matrix: [{V: 3}]}}]}",
      invalid("a job: undefined need: b: [3]")
    ],
    [
      "of more than fifty jobs",
      "b: {script: x, stage: build, parallel: 51}\na: {script: x, needs: [b]}\nc: {script: x}",
      invalid("a: one job can only need 50 others, but you have listed 51. See needs keyword documentation for more details")
    ]
  ])("%s", async (_, text, result) => {
    expect(await compiled(text)).toEqual(result)
  })
})

describe("dependencies", () => {
  it.each<readonly [string, string, Compiled]>([
    [
      "are handed on",
      "b: {script: x, stage: build}\na: {script: x, dependencies: [b]}",
      planned([build, job("a", { definition: { script: ["x"], dependencies: ["b"] } })])
    ],
    ["may be none", "a: {script: x, dependencies: []}", planned([job("a", { definition: { script: ["x"], dependencies: [] } })])],
    [
      "are all of a parallel job",
      "b: {script: x, stage: build, parallel: 1}\na: {script: x, dependencies: [b]}",
      planned([
        job("b 1/1", { stage: "build", parallel: { index: 1, total: 1 } }),
        job("a", { definition: { script: ["x"], dependencies: ["b 1/1"] } })
      ])
    ],
    ["have to be there", "a: {script: x, dependencies: [n]}", invalid("a job: undefined dependency: n")],
    [
      "are not of later stages",
      "a: {script: x, dependencies: [d]}\nd: {script: x, stage: deploy}",
      invalid("a job: dependency d is not defined in current or prior stages")
    ],
    [
      "are among the needs",
      "b: {script: x}\nc: {script: x}\na: {script: x, needs: [b], dependencies: [b, c]}",
      invalid("jobs:a dependencies the c should be part of needs")
    ]
  ])("%s", async (_, text, result) => {
    expect(await compiled(text)).toEqual(result)
  })
})

describe("parallel jobs", () => {
  it("differ in their variables and places", async () => {
    const text = `
variables: {A: 1}
a:
  script: x
  parallel:
    matrix:
      - OS: linux
        V: [1, two]
      - OS: [mac]
  variables: {OS: none, B: 1}
  rules:
    - if: $OS == "linux" && $CI_NODE_TOTAL == "3" && $CI_JOB_NAME =~ /linux, /
      variables: {INDEX: rule}
    - if: $CI_NODE_INDEX == "3"
      when: manual`
    const own = (os: string) => [variable("A", "1"), variable("OS", os), variable("B", "1")]
    const at = (index: number) => ({ parallel: { index, total: 3 } })
    expect(await compiled(text)).toEqual(
      planned([
        job("a: [linux, 1]", { ...at(1), variables: [...own("linux"), variable("V", "1"), variable("INDEX", "rule")] }),
        job("a: [linux, two]", { ...at(2), variables: [...own("linux"), variable("V", "two"), variable("INDEX", "rule")] }),
        job("a: [mac]", { ...at(3), when: "manual", variables: own("mac") })
      ])
    )
  })
})
