import { expect, it } from "vitest"
import { skipsCi } from "#src/pipelines/config/skipsCi.ts"

it.each([
  "Add docs [skip ci]",
  "[ci skip] Add docs",
  "Add docs\n\n[Skip CI]",
  "[CI-SKIP]",
  "[skip_ci]",
  "x[ci_skip]y",
  "[skip-ci]"
])("%j skips", (message) => {
  expect(skipsCi(message)).toBe(true)
})

it.each(["", "skip ci", "[skip  ci]", "[skipci]", "[ skip ci ]", "[no ci]", "[skip ci", "[skip\nci]", "(ci skip)"])(
  "%j does not",
  (message) => {
    expect(skipsCi(message)).toBe(false)
  }
)
