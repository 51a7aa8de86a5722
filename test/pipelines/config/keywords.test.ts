import { describe, expect, it } from "vitest"
import type { JobPlan } from "#src/pipelines/config/plan.ts"
import { compiled, job, planned, variable } from "./samples.ts"

/** The job `a`, which says this besides its script. */
const said = (text: string) => compiled(`a: {script: x, ${text}}`)

const handed = (more: JobPlan["definition"]): Partial<JobPlan> => ({ definition: { script: ["x"], ...more } })

describe("keywords of a job", () => {
  it.each<readonly [string, Partial<JobPlan>]>([
    ["stage: build", { stage: "build" }],
    ["when: always", { when: "always" }],
    ["when: on_failure", { when: "on_failure" }],
    ["when: on_success", {}],
    ["when: manual", { when: "manual", allowFailure: true }],
    ["when: manual, allow_failure: false", { when: "manual" }],
    ["allow_failure: true", { allowFailure: true }],
    ["allow_failure: false", {}],
    ["allow_failure: {exit_codes: 137}", { allowFailureExitCodes: [137] }],
    ["allow_failure: {exit_codes: [1, 2]}", { allowFailureExitCodes: [1, 2] }],
    ["allow_failure: {exit_codes: [1]}, when: manual", { when: "manual", allowFailureExitCodes: [1] }],
    ["allow_failure: {}", {}],
    ["allow_failure: {exit_codes: []}", {}],
    ["retry: 0", {}],
    ["retry: 2", { retry: { max: 2, when: ["always"], exitCodes: [] } }],
    ["retry: {max: 1}", { retry: { max: 1, when: ["always"], exitCodes: [] } }],
    ["retry: {when: script_failure}", { retry: { max: 0, when: ["script_failure"], exitCodes: [] } }],
    ["retry: {max: 2, when: [always, api_failure]}", { retry: { max: 2, when: ["always", "api_failure"], exitCodes: [] } }],
    ["retry: {max: 2, exit_codes: 3}", { retry: { max: 2, when: [], exitCodes: [3] } }],
    ["retry: {max: 2, exit_codes: [3, 4], when: api_failure}", { retry: { max: 2, when: ["api_failure"], exitCodes: [3, 4] } }],
    ["interruptible: true", { interruptible: true }],
    ["coverage: '/\\d+%/'", { coverage: "/\\d+%/" }],
    ["tags: []", { ...handed({ tags: [] }) }],
    ["tags: [a, b]", { tags: ["a", "b"], ...handed({ tags: ["a", "b"] }) }],
    ["image: node:24", handed({ image: "node:24" })],
    [
      "image: {name: a, entrypoint: [b], pull_policy: always}",
      handed({ image: { name: "a", entrypoint: ["b"], pull_policy: "always" } })
    ],
    ["image: {name: a, docker: {user: b}}", handed({ image: { name: "a", docker: { user: "b" } } })],
    [
      "services: [a, {name: b, alias: c, command: [d], variables: {E: f}}]",
      handed({
        services: ["a", { name: "b", alias: "c", command: ["d"], variables: { E: "f" } }]
      })
    ],
    ["before_script: a", handed({ before_script: ["a"] })],
    ["after_script: [a, [b, [c]]]", handed({ after_script: ["a", "b", "c"] })],
    ["before_script: []", handed({ before_script: [] })],
    ["hooks: {pre_get_sources_script: a}", handed({ hooks: { pre_get_sources_script: ["a"] } })],
    [
      "cache: {paths: [a], key: b, when: always, policy: pull, untracked: true}",
      handed({
        cache: { paths: ["a"], key: "b", when: "always", policy: "pull", untracked: true }
      })
    ],
    [
      "cache: [{paths: [a]}, {key: {files: [b], prefix: c}, policy: $P}]",
      handed({
        cache: [{ paths: ["a"] }, { key: { files: ["b"], prefix: "c" }, policy: "$P" }]
      })
    ],
    ["cache: []", handed({ cache: [] })],
    [
      "artifacts: {paths: [a], exclude: [b], name: c, when: on_failure, expire_in: 1 week, reports: {junit: d}}",
      handed({
        artifacts: { paths: ["a"], exclude: ["b"], name: "c", when: "on_failure", expire_in: "1 week", reports: { junit: "d" } }
      })
    ],
    [
      "artifacts: {untracked: true, expire_in: Never, public: false, expose_as: all}",
      handed({
        artifacts: { untracked: true, expire_in: "Never", public: false, expose_as: "all" }
      })
    ],
    ["timeout: 3h 30m", handed({ timeout: "3h 30m" })],
    ["timeout: 30 days", handed({ timeout: "30 days" })],
    [
      "variables: {A: text, B: 1, C: true, D: 1.5, E: 1.0, F: ''}",
      {
        variables: [
          variable("A", "text"),
          variable("B", "1"),
          variable("C", "true"),
          variable("D", "1.5"),
          variable("E", "1.0"),
          variable("F", "")
        ]
      }
    ],
    [
      "variables: {A: {value: b, expand: false}, B: {value: c, expand: true}, C: {value: 1}, D: {}, E: }",
      {
        variables: [variable("A", "b", false), variable("B", "c"), variable("C", "1"), variable("D", ""), variable("E", "")]
      }
    ],
    ["parallel: 1", { name: "a 1/1", parallel: { index: 1, total: 1 } }]
  ])("%s", async (text, plan) => {
    expect(await said(text)).toEqual(planned([job("a", plan)]))
  })

  it("tags name variables", async () => {
    const text = `variables: {V: global}\na: {script: x, variables: {W: $V}, tags: [$V-1, '\${W}', $NONE, $P]}`
    const tags = ["global-1", "global", "$NONE", "project"]
    expect(await compiled(text, { variables: { P: "project" } })).toEqual(
      planned([
        job("a", {
          tags,
          variables: [variable("V", "global"), variable("W", "$V")],
          definition: { script: ["x"], tags: ["$V-1", `\${W}`, "$NONE", "$P"] }
        })
      ])
    )
  })

  it("variables that are not expanded stand for what is written", async () => {
    const text = "variables: {RAW: {value: $A, expand: false}, A: x, B: '$RAW$$A'}\na: {script: x, tags: [$RAW, $B]}"
    const result = await compiled(text)
    expect(result._tag === "Planned" && result.jobs[0]?.tags).toEqual(["$A", "$A$$A"])
  })

  it("what would be longer than 65,536 characters is not expanded", async () => {
    const long = "x".repeat(65_536)
    const result = await compiled('a: {script: x, tags: [$A, "-$A"]}', { variables: { A: long } })
    expect(result._tag === "Planned" && result.jobs[0]?.tags).toEqual([long, "-$A"])
  })

  it("of a chain of variables that name one another, a hundred are followed", async () => {
    const chain = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`V${index}`, `$V${index + 1}`]))
    const result = await compiled("a: {script: x, tags: [$V0]}", { variables: { ...chain, V20000: "x" } })
    expect(result._tag === "Planned" && result.jobs[0]?.tags).toEqual(["$V101"])
  })

  it("values that aliases share are handed as they are", async () => {
    const text = ".p: &p [a, b]\na: {script: x, artifacts: {paths: *p, exclude: *p}}"
    expect(await compiled(text)).toEqual(planned([job("a", handed({ artifacts: { paths: ["a", "b"], exclude: ["a", "b"] } }))]))
  })
})

describe("what all jobs say by default", () => {
  const defaults = `
default:
  image: i
  services: [s]
  before_script: [b]
  after_script: [c]
  hooks: {pre_get_sources_script: [h]}
  cache: {paths: [p]}
  artifacts: {paths: [q]}
  timeout: 1h
  tags: [t]
  retry: 1
  interruptible: true
`
  const once = { retry: { max: 1, when: ["always"], exitCodes: [] } }
  const inherited = {
    image: "i",
    services: ["s"],
    hooks: { pre_get_sources_script: ["h"] },
    before_script: ["b"],
    script: ["x"],
    after_script: ["c"],
    cache: { paths: ["p"] },
    artifacts: { paths: ["q"] },
    timeout: "1h",
    tags: ["t"]
  }

  it.each<readonly [string, Partial<JobPlan>]>([
    ["", { ...once, interruptible: true, tags: ["t"], definition: inherited }],
    [
      "image: j, services: [], before_script: [], retry: 0, interruptible: false, cache: , tags: [u]",
      {
        tags: ["u"],
        definition: { ...inherited, image: "j", services: [], before_script: [], tags: ["u"] }
      }
    ],
    ["inherit: {default: false}", {}],
    ["inherit: {default: []}", {}],
    ["inherit: {default: [image, retry, tags]}", { ...once, tags: ["t"], ...handed({ image: "i", tags: ["t"] }) }],
    ["inherit: {default: true, variables: false}", { ...once, interruptible: true, tags: ["t"], definition: inherited }],
    ["inherit: {default: false}, image: j", handed({ image: "j" })]
  ])("%s", async (text, plan) => {
    expect(await compiled(`${defaults}a: {script: x, ${text}}`)).toEqual(planned([job("a", plan)]))
  })

  it("may stand at the top too", async () => {
    const text =
      "image: i\nservices: [s]\nbefore_script: b\nafter_script: [c]\ncache: {paths: [p]}\ndefault: {tags: [t]}\na: {script: x}"
    const { artifacts, hooks, timeout, ...definition } = inherited
    expect(await compiled(text)).toEqual(planned([job("a", { tags: ["t"], definition })]))
  })

  it("are handed in one order", async () => {
    const result = await compiled(`${defaults}a: {tags: [u], cache: [], script: x, image: j}`)
    expect(result._tag === "Planned" && Object.keys(result.jobs[0]?.definition ?? {})).toEqual(Object.keys(inherited))
  })
})

it("variables of the whole configuration may say how they are filled in", async () => {
  const text = `
variables:
  LEVEL:
    value: low
    description: How much is tested
    options: [low, high]
  RAW: {value: $LEVEL, expand: false}
a: {script: x}`
  expect(await compiled(text)).toEqual(
    planned([job("a", { variables: [variable("LEVEL", "low"), variable("RAW", "$LEVEL", false)] })])
  )
})
