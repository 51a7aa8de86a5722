import { describe, expect, it } from "vitest"
import type { Compiled } from "#src/pipelines/config/plan.ts"
import { compiled, filtered, invalid, job, planned, variable } from "../samples.ts"

describe("a configuration without jobs", () => {
  it.each([
    ["", "Please provide content of .gitlab-ci.yml"],
    [" \n\t\n", "Please provide content of .gitlab-ci.yml"],
    ["{}", "jobs config should contain at least one visible job"],
    ["stages: [a]\nvariables: {A: 1}\n", "jobs config should contain at least one visible job"],
    [".hidden: {script: x}", "jobs config should contain at least one visible job"],
    ["default: {image: a}\nworkflow: {name: b}", "jobs config should contain at least one visible job"]
  ])("%j", async (text, error) => {
    expect(await compiled(text)).toEqual(invalid(error))
  })
})

describe("jobs", () => {
  it.each<readonly [string, string, Compiled]>([
    ["of one line", "a: {script: x}", planned([job("a")])],
    [
      "are in the order of stages, and then of the configuration",
      `
e: {script: x, stage: deploy}
d: {script: x, stage: .post}
c: {script: x}
b: {script: x, stage: .pre}
a: {script: x}
f: {script: x, stage: build}
`,
      planned([
        job("b", { stage: ".pre" }),
        job("f", { stage: "build" }),
        job("c"),
        job("a"),
        job("e", { stage: "deploy" }),
        job("d", { stage: ".post" })
      ])
    ],
    [
      "have stages of the configuration",
      "stages: [one, [two, [three]], .pre, one]\na: {script: x, stage: three}\nb: {script: x, stage: one}\n",
      planned([job("b", { stage: "one" }), job("a", { stage: "three" })], [".pre", "one", "two", "three", ".post"])
    ],
    [
      "may be called like settings",
      "default: {script: x}\nworkflow: {script: x}\nspec: {script: x}\n",
      planned([job("default"), job("workflow"), job("spec")])
    ],
    [
      "may have names of JavaScript",
      "__proto__: {script: x}\nconstructor: {script: x}\n",
      planned([job("__proto__"), job("constructor")])
    ],
    ["may have names that are no texts", "1: {script: x}\nyes: {script: x}\n", planned([job("1"), job("true")])],
    ["that are hidden are left out", ".a: {script: x}\n.b: text\nc: {script: x}\n", planned([job("c")])],
    ["may say nothing", "a: {script: x, stage: , when: , rules: , needs: , retry: ~}", planned([job("a")])]
  ])("%s", async (_, text, result) => {
    expect(await compiled(text)).toEqual(result)
  })
})

const service = `
# The usual way of a service from source to server.
stages:
  - check
  - build
  - deliver

workflow:
  name: "Service: $CI_COMMIT_BRANCH ($LEVEL)"
  rules:
    - if: $CI_COMMIT_BRANCH =~ /^wip\\//
      when: never
    - if: $CI_COMMIT_BRANCH == "main"
      variables:
        LEVEL: full
    - if: $CI_COMMIT_BRANCH

variables:
  LEVEL: quick
  IMAGE:
    value: registry.example.com/service
    description: Where images go
  LITERAL:
    value: $HOME
    expand: false

default:
  image: node:24
  tags: [linux]
  retry:
    max: 1
    when: [runner_system_failure]
  before_script:
    - corepack enable
    - npm ci
  cache: &cache
    key:
      files: [package-lock.json]
    paths: [node_modules]

.quick:
  interruptible: true
  cache:
    <<: *cache
    policy: pull

lint:
  extends: .quick
  stage: check
  needs: []
  script: npm run lint

unit:
  extends: .quick
  stage: check
  parallel: 2
  coverage: /^Lines\\s*:\\s*(\\d+.\\d+)%/
  script:
    - npm test -- --shard=$CI_NODE_INDEX/$CI_NODE_TOTAL
  artifacts:
    when: always
    reports:
      junit: report.xml
  variables:
    LEVEL: unit

package:
  stage: build
  image:
    name: builder:1
    entrypoint: [""]
  inherit:
    default: [tags]
    variables: [IMAGE]
  services: [docker:dind]
  rules:
    - if: $CI_COMMIT_BRANCH == "main"
      variables:
        IMAGE: registry.example.com/service-main
  script:
    - build "$IMAGE"
  timeout: 30 minutes

deliver:
  stage: deliver
  before_script: []
  needs:
    - job: package
      artifacts: false
    - job: unit
      optional: true
  rules:
    - if: $LEVEL == "full" && $CI_PIPELINE_SOURCE == "push"
      when: manual
      allow_failure: true
    - when: never
  script:
    - deliver
  after_script:
    - echo done
  retry: 2
`

const cache = { key: { files: ["package-lock.json"] }, paths: ["node_modules"] }
const globalVariables = (level: string) => [
  variable("LEVEL", level),
  variable("IMAGE", "registry.example.com/service"),
  variable("LITERAL", "$HOME", false)
]
const inherited = { image: "node:24", before_script: ["corepack enable", "npm ci"] }
const systemRetry = { max: 1, when: ["runner_system_failure"], exitCodes: [] }
const quick = { retry: systemRetry, interruptible: true, tags: ["linux"], stage: "check" }

const lint = (level: string) =>
  job("lint", {
    ...quick,
    variables: globalVariables(level),
    needs: [],
    definition: { ...inherited, script: ["npm run lint"], cache: { ...cache, policy: "pull" }, tags: ["linux"] }
  })

const unit = (index: number) =>
  job(`unit ${index}/2`, {
    ...quick,
    variables: globalVariables("unit"),
    parallel: { index, total: 2 },
    coverage: "/^Lines\\s*:\\s*(\\d+.\\d+)%/",
    definition: {
      ...inherited,
      script: ["npm test -- --shard=$CI_NODE_INDEX/$CI_NODE_TOTAL"],
      cache: { ...cache, policy: "pull" },
      artifacts: { when: "always", reports: { junit: "report.xml" } },
      tags: ["linux"]
    }
  })

const stages = [".pre", "check", "build", "deliver", ".post"]

describe("a service", () => {
  it("on its main branch", async () => {
    expect(await compiled(service)).toEqual({
      _tag: "Planned",
      stages,
      name: "Service: main (full)",
      jobs: [
        lint("full"),
        unit(1),
        unit(2),
        job("package", {
          stage: "build",
          tags: ["linux"],
          variables: [variable("IMAGE", "registry.example.com/service-main")],
          definition: {
            image: { name: "builder:1", entrypoint: [""] },
            services: ["docker:dind"],
            script: ['build "$IMAGE"'],
            timeout: "30 minutes",
            tags: ["linux"]
          }
        }),
        job("deliver", {
          stage: "deliver",
          when: "manual",
          allowFailure: true,
          tags: ["linux"],
          variables: globalVariables("full"),
          retry: { max: 2, when: ["always"], exitCodes: [] },
          needs: [
            { name: "package", artifacts: false },
            { name: "unit 1/2", artifacts: true },
            { name: "unit 2/2", artifacts: true }
          ],
          definition: {
            image: "node:24",
            before_script: [],
            script: ["deliver"],
            after_script: ["echo done"],
            cache,
            tags: ["linux"]
          }
        })
      ]
    })
  })

  it("on another branch", async () => {
    expect(await compiled(service, { ref: "fix" })).toEqual({
      _tag: "Planned",
      stages,
      name: "Service: fix (quick)",
      jobs: [lint("quick"), unit(1), unit(2)]
    })
  })

  it("on a branch without pipelines", async () => {
    expect(await compiled(service, { ref: "wip/x" })).toEqual(filtered)
  })

  it("on a tag", async () => {
    expect(await compiled(service, { ref: "v1", isTag: true })).toEqual(filtered)
  })
})
