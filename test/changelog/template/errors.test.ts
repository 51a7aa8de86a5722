import { expect, it } from "vitest"
import { ChangelogFailed, failures } from "#src/changelog/template/errors.ts"

it.each([
  [failures.startUnknown(), "The commit start range is unspecified, and no previous tag could be found to use instead"],
  [
    failures.versionMalformed(),
    "The requested `version` attribute format is not correct. Use formats such as `1.0.0` or `v1.0.0`."
  ],
  [failures.versionBlank(), "The `version` attribute is required."],
  [failures.tagRegexInvalid("text"), "The regular expression to use for finding the previous tag for a version is invalid: text"],
  [failures.rangeInvalid(), "Invalid or not found commit value in the given range"],
  [failures.rangeTooLong(), "The commits range exceeds 15000 elements."],
  [failures.yamlInvalid("a/b.yml"), "a/b.yml does not contain valid YAML"],
  [failures.categoriesNotAMap(), 'The "categories" configuration key must be a Hash'],
  [
    failures.templateInvalid({ line: 1, char: 1 }),
    "Failed to parse the template: Extra input after last repetition at line 1 char 1."
  ],
  [failures.templateTimeout(), "Template parser timeout. Consider reducing the size of the template"],
  [failures.loopsTooDeep(), "You can only nest up to 4 loops"],
  [failures.commitRefused("any text"), "any text"]
])("%#: %s", (failure, reason) => {
  expect(failure).toBeInstanceOf(ChangelogFailed)
  expect(failure.reason).toBe(reason)
})
