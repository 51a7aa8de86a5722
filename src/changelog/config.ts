import { Result } from "effect"
import type { Template } from "./template/ast.ts"
import { Budget } from "./template/budget.ts"
import { defaultTemplate } from "./template/defaultTemplate.ts"
import { type ChangelogFailed, failures } from "./template/errors.ts"
import { parse } from "./template/parse.ts"
import { isList, isMap, printed, type Value } from "./template/value.ts"
import { readYaml } from "./yaml.ts"

export interface Config {
  /** The format is a pattern of strftime. */
  readonly dateFormat: string
  readonly template: Template
  /** The titles by values of the trailer. */
  readonly categories: ReadonlyMap<string, string>
  /** The pattern is in the syntax of RE2; null stands for semantic versions. */
  readonly tagRegex: string | null
  /** The full paths of the groups whose direct members are credited. */
  readonly includeGroups: ReadonlyArray<string>
}

export const defaultConfig: Config = {
  dateFormat: "%Y-%m-%d",
  template: defaultTemplate,
  categories: new Map(),
  tagRegex: null,
  includeGroups: []
}

/** The budget covers the characters of the file, those of the template once more, and twenty steps for each token. */
const configSteps = 500_000

type Read<A> = Result.Result<A, ChangelogFailed>

/** The configuration in `text`, which was read from `path`. Keys that are unknown, null or false are ignored. */
export const parseConfig = (path: string, text: string): Read<Config> =>
  Result.gen(function* () {
    const budget = new Budget(configSteps)
    const content = yield* Result.mapError(readYaml(text, budget), (problem) =>
      problem === "Invalid" ? failures.yamlInvalid(path) : failures.templateTimeout()
    )
    if (content === null) return defaultConfig
    if (!isMap(content)) return yield* Result.fail(failures.configNotAMap(path))
    const dateFormat = yield* textOf(content, "date_format")
    const template = yield* textOf(content, "template")
    return {
      dateFormat: dateFormat ?? defaultConfig.dateFormat,
      template: template === null ? defaultConfig.template : yield* parse(template, budget),
      categories: yield* categoriesOf(settingOf(content, "categories")),
      tagRegex: yield* textOf(content, "tag_regex"),
      includeGroups: groupsOf(settingOf(content, "include_groups"))
    }
  })

const settingOf = (content: ReadonlyMap<string, Value>, key: string): Value => {
  const value = content.get(key)
  return value === undefined || value === false ? null : value
}

const textOf = (content: ReadonlyMap<string, Value>, key: string): Read<string | null> => {
  const value = settingOf(content, key)
  return value === null || typeof value === "string" ? Result.succeed(value) : Result.fail(failures.keyNotAString(key))
}

/** A value without a title keeps its own. */
const categoriesOf = (value: Value): Read<ReadonlyMap<string, string>> => {
  if (value === null) return Result.succeed(defaultConfig.categories)
  if (!isMap(value)) return Result.fail(failures.categoriesNotAMap())
  return Result.succeed(
    new Map(Array.from(value, ([name, title]) => [name, title === null || title === false ? name : printed(title)] as const))
  )
}

/** The value is one path or a list of them; everything that is not a text is skipped. */
const groupsOf = (value: Value): ReadonlyArray<string> =>
  (isList(value) ? value : [value]).filter((path): path is string => typeof path === "string")
