import { Effect } from "effect"
import type { Context, Files } from "./context.ts"
import type { Compiled } from "./plan.ts"

/** What a configuration means for one pipeline. Never dies: whatever is wrong with the text is in the result. */
export const compile = (text: string, _context: Context, _files: Files): Effect.Effect<Compiled> =>
  Effect.succeed({
    _tag: "Invalid",
    errors: [text.trim() === "" ? "Please provide content of .gitlab-ci.yml" : "Configurations are not read yet"]
  })
