import { Data } from "effect"

/** A changelog cannot be made; `reason` is in the words of the answer, which puts `Failed to generate the changelog: ` before it. */
export class ChangelogFailed extends Data.TaggedError("ChangelogFailed")<{ readonly reason: string }> {}

/** The most commits that a range may have. */
export const maxCommits = 15_000

const because = (reason: string): ChangelogFailed => new ChangelogFailed({ reason })

/** Every failure, one function a reason. */
export const failures = {
  startUnknown: () => because("The commit start range is unspecified, and no previous tag could be found to use instead"),
  versionMalformed: () =>
    because("The requested `version` attribute format is not correct. Use formats such as `1.0.0` or `v1.0.0`."),
  versionBlank: () => because("The `version` attribute is required."),
  tagRegexInvalid: (text: string) =>
    because(`The regular expression to use for finding the previous tag for a version is invalid: ${text}`),
  rangeInvalid: () => because("Invalid or not found commit value in the given range"),
  rangeTooLong: () => because(`The commits range exceeds ${maxCommits} elements.`),
  yamlInvalid: (path: string) => because(`${path} does not contain valid YAML`),
  // Gap: the reference breaks on the two below; the texts follow that of the categories.
  configNotAMap: (path: string) => because(`${path} must contain a Hash`),
  keyNotAString: (key: string) => because(`The "${key}" configuration key must be a String`),
  categoriesNotAMap: () => because('The "categories" configuration key must be a Hash'),
  templateInvalid: ({ line, char }: { readonly line: number; readonly char: number }) =>
    because(`Failed to parse the template: Extra input after last repetition at line ${line} char ${char}.`),
  templateTimeout: () => because("Template parser timeout. Consider reducing the size of the template"),
  loopsTooDeep: () => because("You can only nest up to 4 loops"),
  commitRefused: (message: string) => because(message)
} as const
