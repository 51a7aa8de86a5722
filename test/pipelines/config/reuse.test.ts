import { describe, expect, it } from "vitest"
import type { Compiled, JobPlan } from "#src/pipelines/config/plan.ts"
import { compiled, invalid, job, namesIn, planned, variable } from "./samples.ts"

/** The script of the job `a`; anything but a plan as it is. */
const scriptOfA = (result: Compiled): unknown =>
  result._tag === "Planned" ? result.jobs.find(({ name }) => name === "a")?.definition.script : result

describe("extends", () => {
  it.each<readonly [string, string, ReadonlyArray<JobPlan>]>([
    [
      "adds what a job does not say",
      ".b: {script: y, stage: deploy, tags: [t], variables: {A: 1, B: 1}}\na: {extends: .b, script: x, variables: {B: 2}}",
      [
        job("a", {
          stage: "deploy",
          tags: ["t"],
          variables: [variable("A", "1"), variable("B", "2")],
          definition: { script: ["x"], tags: ["t"] }
        })
      ]
    ],
    [
      "replaces lists",
      ".b: {script: [y, z], tags: [t, u]}\na: {extends: .b, tags: [v]}",
      [job("a", { tags: ["v"], definition: { script: ["y", "z"], tags: ["v"] } })]
    ],
    [
      "merges maps within maps",
      ".b: {script: x, cache: {key: {files: [f], prefix: p}, paths: [q]}}\na: {extends: .b, cache: {key: {prefix: r}}}",
      [job("a", { definition: { script: ["x"], cache: { key: { files: ["f"], prefix: "r" }, paths: ["q"] } } })]
    ],
    [
      "of several takes the last one",
      ".b: {script: y, stage: build}\n.c: {script: x}\na: {extends: [.b, .c]}",
      [job("a", { stage: "build" })]
    ],
    ["goes on", ".c: {script: x}\n.b: {extends: .c, stage: build}\na: {extends: .b}", [job("a", { stage: "build" })]],
    ["of a job that is not hidden", "b: {script: x}\na: {extends: b, stage: build}", [job("a", { stage: "build" }), job("b")]],
    ["of nothing", "a: {extends: [], script: x}", [job("a")]],
    ["and null take away", ".b: {script: x, rules: [{when: never}]}\na: {extends: .b, rules: null}", [job("a")]],
    [
      "goes before references",
      ".b: {script: [y]}\n.c: {extends: .b, script: !reference [.b, script]}\na: {extends: .c}",
      [job("a", { definition: { script: ["y"] } })]
    ]
  ])("%s", async (_, text, jobs) => {
    expect(await compiled(text)).toEqual(planned(jobs))
  })

  const chain = (length: number) =>
    `${Array.from({ length }, (_, index) => `.j${index}: {extends: .j${index + 1}}\n`).join("")}.j${length}: {script: x}\n`

  it("goes on for eleven jobs", async () => {
    expect(await compiled(`a: {extends: .j0}\n${chain(10)}`)).toEqual(planned([job("a")]))
    expect(await compiled(`a: {extends: .j0}\n${chain(11)}`)).toEqual(invalid(".j10: nesting too deep in `extends`"))
    // What is extended already does not shorten the way.
    expect(await compiled(`${chain(10)}a: {extends: .b}\n.b: {extends: .j0}`)).toEqual(
      invalid(".j9: nesting too deep in `extends`")
    )
  })

  it.each([
    ["a: {extends: .b, script: x}", "a: unknown keys in `extends` (.b)"],
    ["a: {extends: [.b, .c], script: x}\n.b: {}", "a: unknown keys in `extends` (.c)"],
    ["a: {extends: .b, script: x}\n.b: [x]", "a: invalid base hashes in `extends` (.b)"],
    ["a: {extends: {b: c}, script: x}", "a: unknown keys in `extends` ()"],
    ["a: {extends: a, script: x}", "a: circular dependency detected in `extends`"],
    ["a: {extends: b, script: x}\nb: {extends: c}\nc: {extends: a}", "a: circular dependency detected in `extends`"]
  ])("%j is wrong", async (text, fault) => {
    expect(await compiled(text)).toEqual(invalid(fault))
  })
})

describe("!reference", () => {
  it.each<readonly [string, string, unknown]>([
    ["in a list", ".b: {script: [y, z]}\na: {script: [x, !reference [.b, script], w]}", ["x", "y", "z", "w"]],
    ["in place of a list", ".b: {script: [y]}\na: {script: !reference [.b, script]}", ["y"]],
    ["of a text", ".b: {line: y}\na: {script: [!reference [.b, line]]}", ["y"]],
    ["of references", ".c: {s: [z]}\n.b: {s: [y, !reference [.c, s]]}\na: {script: [x, !reference [.b, s]]}", ["x", "y", "z"]],
    ["in maps", ".b: {v: {A: y}}\na: {script: x, variables: !reference [.b, v], rules: [{if: $A == 'y'}]}", ["x"]],
    ["of a whole job", ".b: {script: [y]}\na: !reference [.b]", ["y"]],
    ["of something deep", ".b: {c: {d: {e: y}}}\na: {script: [!reference [.b, c, d, e]]}", ["y"]],
    ["through an anchor", ".b: {s: [y]}\n.c: &r [!reference [.b, s]]\na: {script: *r}", ["y"]],
    ["twice of the same", ".b: {s: [y]}\na: {script: [!reference [.b, s], !reference [.b, s]]}", ["y", "y"]]
  ])("%s", async (_, text, script) => {
    expect(scriptOfA(await compiled(text))).toEqual(script)
  })

  const chain = (length: number) =>
    `${Array.from({ length }, (_, index) => `.j${index}: {s: !reference [.j${index + 1}, s]}\n`).join("")}.j${length}: {s: [x]}\n`

  it("goes on for ten references", async () => {
    expect(await compiled(`a: {script: !reference [.j0, s]}\n${chain(9)}`)).toEqual(planned([job("a")]))
    expect(await compiled(`a: {script: !reference [.j0, s]}\n${chain(10)}`)).toEqual(
      invalid('!reference [".j10", "s"] is nested too deeply')
    )
  })

  it.each([
    ["a: {script: !reference [.b, script]}", '!reference [".b", "script"] could not be found'],
    [".b: {script: x}\na: {script: !reference [.b, script, deep]}", '!reference [".b", "script", "deep"] could not be found'],
    [".b: {script: }\na: {script: !reference [.b, script]}", '!reference [".b", "script"] could not be found'],
    ["a: {script: !reference [a, script]}", '!reference ["a", "script"] is part of a circular chain'],
    [
      "a: {script: [!reference [b, script]]}\nb: {script: [!reference [a, script]]}",
      '!reference ["b", "script"] is part of a circular chain'
    ],
    ["a: {script: !reference []}", "!reference is not valid: it takes a list of keys"],
    ["a: {script: !reference x}", "!reference is not valid: it takes a list of keys"],
    ["a: {script: !reference {b: c}}", "!reference is not valid: it takes a list of keys"],
    ["a: {script: !reference [1]}", "!reference is not valid: it takes a list of keys"]
  ])("%j is wrong", async (text, fault) => {
    expect(await compiled(text)).toEqual(invalid(fault))
  })
})

describe("include", () => {
  const files = {
    "ci/b.yml": "b: {script: x}",
    "ci/c.yaml": "include: /ci/b.yml\nc: {script: x}\nvariables: {A: c, C: c}",
    "ci/d.yml": "variables: {A: d, D: d}\na: {script: y, tags: [t]}\nstages: [one]",
    "ci/e.yml": "include:\n  - ci/b.yml\n  - local: ci/d.yml",
    "empty.yml": " \n",
    "nothing.yml": "# nothing",
    "blank.yml": "{}",
    "wrong.yml": "a: b: c",
    "list.yml": "[a]",
    "text.txt": "a: {script: x}",
    "spec.yml": "spec: {inputs: {a: }}\n---\na: {script: x}",
    "ping.yml": "include: pong.yml",
    "pong.yml": "include: [ci/b.yml, ping.yml]",
    "self.yml": "include: self.yml",
    "missing.yml": "include: none.yml",
    "paths.yml": "a: {script: x}"
  }
  const a = "a: {script: x}\n"

  it.each<readonly [string, ReadonlyArray<string>]>([
    ["include: ci/b.yml", ["b", "a"]],
    ["include: /ci/b.yml", ["b", "a"]],
    ["include: {local: ci/b.yml}", ["b", "a"]],
    ["include: [ci/b.yml, {local: /ci/c.yaml}]", ["b", "c", "a"]],
    ["include: [ci/b.yml, ci/b.yml]", ["b", "a"]],
    ["include: ci/e.yml\nstages: [test]", ["b", "a"]],
    ["include: []", ["a"]],
    ["include:", ["a"]],
    ["include: 'ci/*.yml'\nstages: [test]", ["b", "a"]],
    ["include: {local: '**.yaml'}", ["a"]],
    ["include: {local: '**/*.yaml'}", ["b", "c", "a"]],
    ["include: $DIR/b.yml", ["b", "a"]],
    ["include: {local: '$DIR/$NONE/b.yml', rules: [{if: $NONE}]}", ["a"]],
    ["include: {local: ci/b.yml, rules: [{if: $CI_COMMIT_BRANCH == 'main'}]}", ["b", "a"]],
    ["include: {local: ci/b.yml, rules: [{if: $CI_COMMIT_BRANCH, when: never}]}", ["a"]],
    ["include: {local: ci/b.yml, rules: [{when: always}]}", ["b", "a"]],
    ["include: {local: ci/b.yml, rules: [{exists: [paths.yml]}]}", ["b", "a"]],
    ["include: {local: ci/b.yml, rules: [{exists: [none.yml]}]}", ["a"]],
    ["include: {local: ci/b.yml, rules: [{changes: [x]}]}", ["b", "a"]],
    ["include: {local: ci/b.yml, rules: [{changes: [y]}]}", ["a"]],
    ["variables: {V: 1}\ninclude: {local: ci/b.yml, rules: [{if: $V}]}", ["a"]]
  ])("%s", async (include, names) => {
    const given = { files, variables: { DIR: "ci" }, changedPaths: ["x"] }
    expect(namesIn(await compiled(`${include}\n${a}`, given))).toEqual(names)
  })

  it("merges files in their order, and what includes them last", async () => {
    const text = "include: [ci/c.yaml, ci/d.yml]\nvariables: {D: own}\na: {script: [x]}\nstages: [test]"
    expect(await compiled(text, { files })).toEqual(
      planned(
        ["b", "c", "a"].map((name) => {
          const variables = [variable("A", "d"), variable("C", "c"), variable("D", "own")]
          return job(name, { variables, ...(name === "a" && { tags: ["t"], definition: { script: ["x"], tags: ["t"] } }) })
        }),
        [".pre", "test", ".post"]
      )
    )
  })

  it("takes jobs to extend and to refer to", async () => {
    const shared = ".base: {stage: build, script: [y]}"
    const text = "include: shared.yml\na: {extends: .base, script: [x, !reference [.base, script]]}"
    expect(await compiled(text, { files: { "shared.yml": shared } })).toEqual(
      planned([job("a", { stage: "build", definition: { script: ["x", "y"] } })])
    )
  })

  it.each([
    ["none.yml", "Local file `none.yml` does not exist!"],
    ["$SECRET/a.yml", "Local file `$SECRET/a.yml` does not exist!"],
    ["/$SECRET", "Included file `$SECRET` does not have YAML extension!"],
    ["missing.yml", "Local file `none.yml` does not exist!"],
    ["empty.yml", "Local file `empty.yml` is empty!"],
    ["nothing.yml", "`nothing.yml`: Invalid configuration format"],
    ["blank.yml", "Included file `blank.yml` does not have valid YAML syntax!"],
    ["list.yml", "`list.yml`: Invalid configuration format"],
    ["wrong.yml", "`wrong.yml`: Invalid YAML: Nested mappings are not allowed in compact mappings at line 1 column 4"],
    ["text.txt", "Included file `text.txt` does not have YAML extension!"],
    ["''", "Included file `` does not have YAML extension!"],
    ["self.yml", "Local file `self.yml` includes itself!"],
    ["ping.yml", "Local file `ping.yml` includes itself by way of `pong.yml`!"],
    ["spec.yml", "`spec.yml`: spec is not supported here"],
    ["https://example.com/a.yml", "include:remote is not supported here"],
    ["$URL", "include:remote is not supported here"],
    ["{remote: 'https://example.com/a.yml'}", "include:remote is not supported here"],
    ["{project: a/b, file: c.yml}", "include:project is not supported here"],
    ["{template: Auto-DevOps.gitlab-ci.yml}", "include:template is not supported here"],
    ["{component: a/b@1}", "include:component is not supported here"],
    ["{artifact: a.yml, job: b}", "include:artifact is not supported here"],
    ["{local: ci/b.yml, inputs: {a: b}}", "include:inputs is not supported here"],
    ["{local: [ci/b.yml]}", 'Included file `["ci/b.yml"]` needs to be a string'],
    [
      "{file: ci/b.yml}",
      '`{"file":"ci/b.yml"}` does not have a valid subkey for include. Valid subkeys are: `local`, `project`, `remote`, `template`, `artifact`, `component`'
    ],
    [
      "{local: a.yml, project: b}",
      "Each include must use only one of: `local`, `project`, `remote`, `template`, `artifact`, `component`"
    ],
    ["[1]", "Each include must be a hash or a string"],
    ["[[ci/b.yml]]", "Each include must be a hash or a string"],
    ["{local: ci/b.yml, rules: [{if: x}]}", "include:rules:rule if invalid expression syntax"],
    ["{local: ci/b.yml, rules: [{when: manual}]}", "include:rules:rule when unknown value: manual"],
    ["{local: ci/b.yml, rules: [{allow_failure: true}]}", "include:rules:rule config contains unknown keys: allow_failure"],
    ["{local: ci/b.yml, rules: {if: x}}", "include:rules config should be an array"]
  ])("%s is wrong", async (include, fault) => {
    const given = {
      files,
      variables: { URL: "http://example.com/a.yml", SECRET: "s3cret" }
    }
    expect(await compiled(`include: ${include}\n${a}`, given)).toEqual(invalid(fault))
  })

  it("takes 150 files, each counted as often as it is included", async () => {
    const text = (count: number) => `include: [${Array.from({ length: count }, () => "ci/b.yml").join(", ")}]\n${a}`
    expect(namesIn(await compiled(text(150), { files }))).toEqual(["b", "a"])
    expect(await compiled(text(151), { files })).toEqual(invalid("Maximum of 150 nested includes are allowed!"))
    const twice = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`${index}.yml`, `include: [${index + 1}.yml, ${index + 1}.yml]`])
    )
    expect(await compiled(`include: 0.yml\n${a}`, { files: { ...twice, "9.yml": "b: {script: x}" } })).toEqual(
      invalid("Maximum of 150 nested includes are allowed!")
    )
  })
})
