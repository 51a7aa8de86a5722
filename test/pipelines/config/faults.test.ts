import { describe, expect, it } from "vitest"
import { compiled, invalid } from "./samples.ts"

const long = (length: number) => "x".repeat(length)
const nested = (depth: number) => `${"[".repeat(depth)}x${"]".repeat(depth)}`
const commands = "config should be a string or a nested array of strings up to 10 levels deep"
const refs = "should be an array of strings or regular expressions using re2 syntax"

describe("what is wrong with a job", () => {
  it.each<readonly [string, string | ReadonlyArray<string>]>([
    ["", "jobs:job script can't be blank"],
    ["script: ", "jobs:job script can't be blank"],
    ["script: []", "jobs:job script can't be blank"],
    ["script: ''", "jobs:job script can't be blank"],
    ["script: 1", `jobs:job:script ${commands}`],
    ["script: [1]", `jobs:job:script ${commands}`],
    ["script: {a: b}", `jobs:job:script ${commands}`],
    [`script: ${nested(11)}`, `jobs:job:script ${commands}`],
    ["foo: 1, Bar: 2", "jobs:job config contains unknown keys: foo, bar"],
    ["type: test", "jobs:job config contains unknown keys: type"],
    ["before_script: {a: b}", `jobs:job:before_script ${commands}`],
    ["after_script: 1", `jobs:job:after_script ${commands}`],
    ["hooks: []", "jobs:job:hooks config should be a hash"],
    ["hooks: {post: x}", "jobs:job:hooks config contains unknown keys: post"],
    ["hooks: {pre_get_sources_script: 1}", `jobs:job:hooks:pre_get_sources_script ${commands}`],
    ["stage: [a]", "jobs:job:stage config should be a string"],
    ["stage: none", "job job: chosen stage none does not exist; available stages are .pre, build, test, deploy, .post"],
    ["when: later", "jobs:job when should be one of: on_success, on_failure, always, manual, delayed"],
    ["when: never", "jobs:job when should be one of: on_success, on_failure, always, manual, delayed"],
    ["when: delayed, start_in: 1 day", "jobs:job:when delayed is not supported here"],
    ["start_in: 1 day", "jobs:job start in must be blank"],
    ["allow_failure: x", "jobs:job allow failure should be a hash or a boolean value"],
    ["allow_failure: {codes: 1}", "jobs:job:allow_failure config contains unknown keys: codes"],
    ["allow_failure: {exit_codes: [x]}", "jobs:job:allow_failure exit codes should be an array of integers or an integer"],
    ["allow_failure: {exit_codes: 1.5}", "jobs:job:allow_failure exit codes should be an array of integers or an integer"],
    ["dependencies: x", "jobs:job dependencies should be an array of strings"],
    ["dependencies: [1]", "jobs:job dependencies should be an array of strings"],
    ["retry: 3", "retry config must be less than or equal to 2"],
    ["retry: -1", "retry config must be greater than or equal to 0"],
    ["retry: x", "retry config has to be either an integer or a hash"],
    ["retry: 1.5", "retry config has to be either an integer or a hash"],
    ["retry: {max: 3}", "retry max must be less than or equal to 2"],
    ["retry: {max: x}", "retry max is not a number"],
    ["retry: {max: 1.5}", "retry max must be an integer"],
    ["retry: {most: 1}", "retry config contains unknown keys: most"],
    ["retry: {when: never}", "retry when is not included in the list"],
    ["retry: {when: [always, never, x]}", "retry when contains unknown values: never, x"],
    ["retry: {when: 1}", "retry when should be an array of strings or a string"],
    ["retry: {exit_codes: x}", "retry exit codes should be an array of integers or an integer"],
    ["interruptible: x", "jobs:job:interruptible config should be a boolean value"],
    ["coverage: x", "jobs:job:coverage config must be a regular expression with re2 syntax"],
    ["coverage: /(/", "jobs:job:coverage config must be a regular expression with re2 syntax"],
    ["coverage: 1", "jobs:job:coverage config must be a regular expression with re2 syntax"],
    ["tags: x", "jobs:job:tags config should be an array of strings"],
    ["tags: [1]", "jobs:job:tags config should be an array of strings"],
    [`tags: [${"a, ".repeat(49)}a]`, "jobs:job:tags config must be less than the limit of 50 tags"],
    ["timeout: x", "jobs:job:timeout config should be a duration"],
    ["timeout: 60", "jobs:job:timeout config should be a duration"],
    ["timeout: 2592001 seconds", "jobs:job:timeout config should not exceed the limit"],
    ["image: [a]", "jobs:job:image config should be a hash or a string"],
    ["image: ''", "jobs:job:image name can't be blank"],
    ["image: {entrypoint: [a]}", "jobs:job:image name can't be blank"],
    ["image: {name: a, entry: b}", "jobs:job:image config contains unknown keys: entry"],
    ["image: {name: a, ports: [80]}", "jobs:job:image config contains disallowed keys: ports"],
    ["image: {name: a, entrypoint: b}", "jobs:job:image entrypoint should be an array of strings"],
    ["image: {name: a, pull_policy: often}", "jobs:job:image:pull_policy config is not included in the list"],
    ["image: {name: a, pull_policy: [often]}", "jobs:job:image:pull_policy config contains unknown values: often"],
    ["image: {name: a, pull_policy: 1}", "jobs:job:image:pull_policy config should be an array of strings or a string"],
    ["services: a", "jobs:job:services config should be an array"],
    ["services: [1]", "jobs:job:services:service config should be a hash or a string"],
    ["services: [{alias: a}]", "jobs:job:services:service name can't be blank"],
    ["services: [{name: a, alias: 1}]", "jobs:job:services:service alias should be a string"],
    ["services: [{name: a, command: b}]", "jobs:job:services:service command should be an array of strings"],
    ["services: [{name: a, variables: [b]}]", "jobs:job:services:service:variables config should be a hash"],
    ["cache: a", "jobs:job:cache config can only be a hash or an array"],
    ["cache: [{}, {}, {}, {}, {}]", "jobs:job:cache config no more than 4 caches can be created"],
    ["cache: [a]", "jobs:job:cache:cache config should be a hash"],
    ["cache: {path: a}", "jobs:job:cache:cache config contains unknown keys: path"],
    ["cache: {paths: a}", "jobs:job:cache:cache paths should be an array of strings"],
    ["cache: {when: a}", "jobs:job:cache:cache when should be one of: on_success, on_failure, always"],
    ["cache: {policy: a}", "jobs:job:cache:cache policy should be a variable or one of: pull-push, push, pull"],
    ["cache: {key: [a]}", "jobs:job:cache:cache:key should be a hash, a string or a symbol"],
    ["cache: {key: a/b}", 'jobs:job:cache:cache:key config cannot contain the "/" character'],
    ["cache: {key: ..}", 'jobs:job:cache:cache:key config cannot be "." or ".."'],
    ["cache: {key: {prefix: a}}", "jobs:job:cache:cache:key config missing required keys: files"],
    ["cache: {key: {file: a}}", "jobs:job:cache:cache:key config contains unknown keys: file"],
    ["artifacts: [a]", "jobs:job:artifacts config should be a hash"],
    ["artifacts: {path: a}", "jobs:job:artifacts config contains unknown keys: path"],
    ["artifacts: {paths: a}", "jobs:job:artifacts paths should be an array of strings"],
    ["artifacts: {name: 1}", "jobs:job:artifacts name should be a string"],
    ["artifacts: {untracked: a}", "jobs:job:artifacts untracked should be a boolean value"],
    ["artifacts: {when: a}", "jobs:job:artifacts when should be one of: on_success, on_failure, always"],
    ["artifacts: {expire_in: a}", "jobs:job:artifacts expire in should be a duration"],
    ["artifacts: {reports: a}", "jobs:job:artifacts reports should be a hash"],
    ["artifacts: {access: a}", "jobs:job:artifacts access should be one of: none, developer, maintainer, all"],
    ["artifacts: {access: all, public: true}", "jobs:job:artifacts config these keys cannot be used together: public, access"],
    ["inherit: x", "jobs:job:inherit config should be a hash"],
    ["inherit: {all: true}", "jobs:job:inherit config contains unknown keys: all"],
    ["inherit: {default: x}", "jobs:job:inherit:default should be a bool or array of strings"],
    ["inherit: {default: [1]}", "jobs:job:inherit:default config should be an array of strings"],
    ["inherit: {default: [image, script]}", "jobs:job:inherit:default config contains unknown values: script"],
    ["inherit: {variables: x}", "jobs:job:inherit:variables should be a bool or array of strings"],
    ["variables: [a]", "jobs:job:variables config should be a hash"],
    ["variables: {A: [b]}", "variable definition must be either a string or a hash"],
    ["variables: {A: {value: [b]}}", "jobs:job:variables:a config value must be a scalar"],
    ["variables: {A: {value: b, expand: c}}", "jobs:job:variables:a config expand should be a boolean value"],
    ["variables: {A: {value: b, description: c}}", "jobs:job:variables:a config uses invalid data keys: description"],
    ["needs: x", "jobs:job:needs config can only be a hash or an array"],
    ["needs: {}", ["jobs:job:needs config can not be an empty hash", "jobs:job:needs:need has an unsupported type"]],
    ["needs: [1]", "jobs:job:needs:need has an unsupported type"],
    ["needs: ['']", "jobs:job:needs:need config can't be blank"],
    ["needs: [{artifacts: true}]", "jobs:job:needs:need has an unsupported type"],
    ["needs: [{job: }]", "jobs:job:needs:need job can't be blank"],
    ["needs: [{job: [a]}]", ["jobs:job:needs:need job should be a string", "jobs:job:needs:need job can't be blank"]],
    ["needs: [{job: a, artifact: true}]", "jobs:job:needs:need config contains unknown keys: artifact"],
    ["needs: [{job: a, artifacts: x}]", "jobs:job:needs:need artifacts should be a boolean value"],
    ["needs: [{job: a, optional: x}]", "jobs:job:needs:need optional should be a boolean value"],
    ["needs: [{job: a, parallel: 2}]", "jobs:job:needs:need:parallel should be an integer or a hash"],
    ["needs: [{job: a, project: b, ref: c}]", "jobs:job:needs:need:project is not supported here"],
    ["needs: [{job: a, pipeline: b}]", "jobs:job:needs:need:pipeline is not supported here"],
    ["parallel: x", "jobs:job:parallel should be an integer or a hash"],
    ["parallel: 0", "jobs:job:parallel config must be greater than or equal to 1"],
    ["parallel: 201", "jobs:job:parallel config must be less than or equal to 200"],
    ["parallel: 1.5", "jobs:job:parallel config must be an integer"],
    ["parallel: {}", "jobs:job:parallel config missing required keys: matrix"],
    ["parallel: {matrix: [], more: 1}", "jobs:job:parallel config contains unknown keys: more"],
    ["parallel: {matrix: a}", "jobs:job:parallel:matrix config should be an array of hashes"],
    ["parallel: {matrix: [a]}", "jobs:job:parallel:matrix config should be an array of hashes"],
    ["parallel: {matrix: [{}]}", "jobs:job:parallel:matrix:variables config requires at least 1 items"],
    [
      "parallel: {matrix: [{A: []}]}",
      "jobs:job:parallel:matrix:variables config should be a hash of key value pairs, value can be an array"
    ],
    [
      "parallel: {matrix: [{A: {b: c}}]}",
      "jobs:job:parallel:matrix:variables config should be a hash of key value pairs, value can be an array"
    ],
    [
      `parallel: {matrix: [{A: [${"1,".repeat(15)}], B: [${"1,".repeat(15)}]}]}`,
      "jobs:job:parallel:matrix config generates too many jobs (maximum is 200)"
    ],
    ["only: main", "jobs:job:only has to be either an array of conditions or a hash"],
    ["only: [1]", `jobs:job:only config ${refs}`],
    ["only: [/(/]", `jobs:job:only config ${refs}`],
    ["only: {}", "jobs:job:only config can't be blank"],
    ["only: {branches: [a]}", "jobs:job:only config contains unknown keys: branches"],
    ["only: {refs: a}", `jobs:job:only refs ${refs}`],
    ["only: {kubernetes: active}", "jobs:job:only:kubernetes is not supported here"],
    ["only: {variables: a}", "jobs:job:only variables should be an array of strings"],
    ["only: {variables: [a]}", "jobs:job:only variables invalid expression syntax"],
    ["only: {changes: a}", "jobs:job:only changes should be an array of strings"],
    ["except: main", "jobs:job:except has to be either an array of conditions or a hash"],
    ["rules: x", "jobs:job rules should be an array containing hashes and arrays of hashes"],
    ["rules: [x]", "jobs:job rules should be an array containing hashes and arrays of hashes"],
    ["rules: {if: $A}", "jobs:job rules should be an array containing hashes and arrays of hashes"],
    [
      `rules: ${nested(11).replace("x", "{when: always}")}`,
      "jobs:job rules should be an array containing hashes and arrays of hashes"
    ],
    ["rules: []", "jobs:job:rules config can't be blank"],
    ["rules: [{}]", "jobs:job:rules:rule config can't be blank"],
    ["rules: [{then: x}]", "jobs:job:rules:rule config contains unknown keys: then"],
    ["rules: [{if: x}]", "jobs:job:rules:rule if invalid expression syntax"],
    ["rules: [{if: [$A]}]", "jobs:job:rules:rule if invalid expression syntax"],
    ["rules: [{when: later}]", "jobs:job:rules:rule when unknown value: later"],
    ["rules: [{when: delayed, start_in: 1 day}]", "jobs:job:rules:rule:when delayed is not supported here"],
    ["rules: [{start_in: 1 day}]", "jobs:job:rules:rule config contains disallowed keys: start_in"],
    ["rules: [{allow_failure: x}]", "jobs:job:rules:rule allow failure should be a boolean value"],
    ["rules: [{interruptible: x}]", "jobs:job:rules:rule interruptible should be a boolean value"],
    ["rules: [{changes: x}]", "jobs:job:rules:rule:changes should be an array or a hash"],
    ["rules: [{changes: [1]}]", "jobs:job:rules:rule:changes config should be an array of strings"],
    [`rules: [{changes: [${"a,".repeat(51)}]}]`, "jobs:job:rules:rule:changes config has too many entries (maximum 50)"],
    [
      "rules: [{changes: {compare_to: a}}]",
      [
        "jobs:job:rules:rule:changes:compare_to is not supported here",
        "jobs:job:rules:rule:changes config missing required keys: paths"
      ]
    ],
    ["rules: [{changes: {paths: x}}]", "jobs:job:rules:rule:changes paths should be an array of strings"],
    ["rules: [{changes: {path: x}}]", "jobs:job:rules:rule:changes config contains unknown keys: path"],
    ["rules: [{exists: 1}]", "jobs:job:rules:rule:exists should be a string, an array of strings, or a hash"],
    ["rules: [{exists: [1]}]", "jobs:job:rules:rule:exists config should be an array of strings"],
    [`rules: [{exists: [${"a,".repeat(51)}]}]`, "jobs:job:rules:rule:exists config has too many entries (maximum 50)"],
    ["rules: [{exists: {paths: [a], project: b}}]", "jobs:job:rules:rule:exists:project is not supported here"],
    ["rules: [{variables: x}]", "jobs:job:rules:rule:variables config should be a hash"],
    ["rules: [{variables: {A: {value: b}}}]", "jobs:job:rules:rule:variables:a config must be a string"],
    ["rules: [{needs: x}]", "jobs:job:rules:rule:needs config can only be a hash or an array"],
    ["rules: [{when: always}], only: [main]", "jobs:job config key may not be used with `rules`: only"],
    [
      "rules: [{when: always}], only: [main], except: [x], start_in: 1",
      "jobs:job config key may not be used with `rules`: only, except, start_in"
    ],
    ["environment: production", "jobs:job:environment is not supported here"],
    ["release: {tag_name: a}", "jobs:job:release is not supported here"],
    ["pages: true", "jobs:job:pages is not supported here"],
    ["resource_group: a", "jobs:job:resource_group is not supported here"],
    ["id_tokens: {A: {aud: b}}", "jobs:job:id_tokens is not supported here"],
    ["secrets: {A: {vault: b}}", "jobs:job:secrets is not supported here"],
    ["manual_confirmation: Sure?", "jobs:job:manual_confirmation is not supported here"],
    [
      "environment: a, resource_group: b, foo: c",
      [
        "jobs:job:environment is not supported here",
        "jobs:job:resource_group is not supported here",
        "jobs:job config contains unknown keys: foo"
      ]
    ]
  ])("%s", async (said, faults) => {
    const [first = "", ...others] = typeof faults === "string" ? [faults] : faults
    const own = said.startsWith("script:") || said === "" ? said : `script: x, ${said}`
    expect(await compiled(said === "" ? "job: {script: }" : `job: {${own}}`)).toEqual(invalid(first, ...others))
  })
})

describe("what is wrong with a configuration", () => {
  const job = "job: {script: x}\n"

  it.each<readonly [string, string | ReadonlyArray<string>]>([
    [
      "a: {stage: test}",
      [
        "jobs a config should implement the script:, run:, or trigger: keyword",
        "jobs config should contain at least one visible job"
      ]
    ],
    [`${job}Deploy: {needs: [job]}`, "jobs deploy config should implement the script:, run:, or trigger: keyword"],
    [`${job}a: text`, "jobs a config should implement the script:, run:, or trigger: keyword"],
    [`${job}a:`, "jobs a config should implement the script:, run:, or trigger: keyword"],
    [`${job}types: [a]`, "jobs types config should implement the script:, run:, or trigger: keyword"],
    [`${job}.a: {}`, "jobs:.a config can't be blank"],
    ["a: {trigger: b}", "jobs:a:trigger is not supported here"],
    ["a: {run: [b]}", "jobs:a:run is not supported here"],
    [`${job}'': {script: x}`, "jobs: name can't be blank"],
    [`${job}${long(256)}: {script: x}`, `jobs:${long(256)} name is too long (maximum is 255 characters)`],
    [`${job}stages: a`, "stages config should be an array of strings or a nested array of strings up to 10 levels deep"],
    [`${job}stages: [1]`, "stages config should be an array of strings or a nested array of strings up to 10 levels deep"],
    [`${job}stages: [a]`, "job job: chosen stage test does not exist; available stages are .pre, a, .post"],
    [`${job}variables: a`, "variables config should be a hash"],
    [`${job}variables: {A: {value: b, options: [c]}}`, "variables:a config value must be present in options"],
    [`${job}variables: {A: {value: b, options: c}}`, "variables:a config options should be an array of strings"],
    [`${job}variables: {A: {description: [b]}}`, "variables:a config description must be an alphanumeric string"],
    [`${job}variables: {A: {default: b}}`, "variables:a config uses invalid data keys: default"],
    [`${job}workflow: a`, "workflow config should be a hash"],
    [`${job}workflow: {rule: []}`, "workflow config contains unknown keys: rule"],
    [`${job}workflow: {name: [a]}`, "workflow name should be a string"],
    [`${job}workflow: {rules: a}`, "workflow:rules config should be an array"],
    [`${job}workflow: {rules: [{when: manual}]}`, "workflow:rules:rule when unknown value: manual"],
    [`${job}workflow: {rules: [{if: a}]}`, "workflow:rules:rule if invalid expression syntax"],
    [`${job}workflow: {auto_cancel: {on_new_commit: none}}`, "workflow:auto_cancel is not supported here"],
    [`${job}workflow: {rules: [{auto_cancel: {on_new_commit: none}}]}`, "workflow:rules:rule:auto_cancel is not supported here"],
    [`${job}default: a`, "default config should be a hash"],
    [`${job}default: {stage: a}`, "default config contains unknown keys: stage"],
    [`${job}default: {id_tokens: {}}`, "default:id_tokens is not supported here"],
    [`${job}default: {image: [a]}`, "default:image config should be a hash or a string"],
    [`${job}default: {image: a}\nimage: b`, "image is defined in top-level and `default:` entry"],
    [`${job}image: [a]`, "image config should be a hash or a string"],
    [`${job}before_script: 1`, `before_script ${commands}`],
    [`spec: {inputs: {a: }}\n---\n${job}`, "spec is not supported here"],
    [
      "a: {script: x, image: [b], tags: c}\nb: {script: x, foo: d}",
      [
        "jobs:a:image config should be a hash or a string",
        "jobs:a:tags config should be an array of strings",
        "jobs:b config contains unknown keys: foo"
      ]
    ]
  ])("%s", async (text, faults) => {
    const [first = "", ...others] = typeof faults === "string" ? [faults] : faults
    expect(await compiled(text)).toEqual(invalid(first, ...others))
  })
})

it("variables that name one another in a circle are wrong in each job that sees them", async () => {
  const circle = 'circular variable reference detected: ["A", "B"]'
  const text =
    "variables: {A: x$B, B: '%C%$A', C: $D, E: $E}\na: {script: x}\nb: {script: x, variables: {B: y}}\nc: {script: x, rules: [{when: never}]}"
  expect(await compiled(text)).toEqual(invalid(`a: ${circle}`))
  expect(await compiled("variables: {A: $B}\na: {script: x}", { variables: { B: "$A" } })).toEqual(invalid(`a: ${circle}`))
  expect(await compiled("variables: {A: {value: $B, expand: false}, B: $A}\na: {script: x}")).toMatchObject({ _tag: "Planned" })
})

it("of many faults the first twenty are told, and of a long one the beginning", async () => {
  const many = Array.from({ length: 30 }, (_, index) => `j${index}: {script: x, foo: 1}`).join("\n")
  const [first = "", ...others] = Array.from({ length: 20 }, (_, index) => `jobs:j${index} config contains unknown keys: foo`)
  expect(await compiled(many)).toEqual(invalid(first, ...others))
  const fault = `jobs:a config contains unknown keys: ${long(2_000)}`
  expect(await compiled(`a: {script: x, ${long(2_000)}: 1}`)).toEqual(invalid(`${fault.slice(0, 1_000)}…`))
})
