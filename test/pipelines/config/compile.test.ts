import { Effect } from "effect"
import { expect, it } from "vitest"
import { compile } from "#src/pipelines/config/compile.ts"
import type { Context, Files } from "#src/pipelines/config/context.ts"
import type { Compiled } from "#src/pipelines/config/plan.ts"

const context: Context = { source: "push", ref: "main", isTag: false, projectPath: "tools/engine", predefined: [], variables: [] }
const noFiles: Files = {
  read: () => Effect.succeed(undefined),
  changedPaths: Effect.succeed(undefined),
  paths: Effect.succeed([])
}
const compiled = (text: string): Promise<Compiled> => Effect.runPromise(compile(text, context, noFiles))

it.each(["", " \n\t\n"])("a configuration of %j has nothing to read", async (text) => {
  expect(await compiled(text)).toEqual({ _tag: "Invalid", errors: ["Please provide content of .gitlab-ci.yml"] })
})
