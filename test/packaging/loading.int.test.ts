import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"

/** Prints, as the process ends, which packages it has read files of. */
const observer = `
  import { registerHooks } from "node:module"
  const packages = new Set()
  registerHooks({
    load: (url, context, next) => {
      const name = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]
      if (name !== undefined) packages.add(name)
      return next(url, context)
    }
  })
  process.on("exit", () => console.error(JSON.stringify([...packages].sort())))`

describe("the program", () => {
  it("reads what it needs to start, no client of other databases and nothing that is rarely used", async () => {
    const observing = ["--import", `data:text/javascript,${encodeURIComponent(observer)}`]
    const { stderr } = await promisify(execFile)(process.execPath, [...observing, "src/main.js", "--version"])
    expect(JSON.parse(stderr)).toEqual([
      "@effect/platform-node",
      "@effect/platform-node-shared",
      "croner",
      "effect",
      "lru-cache",
      "postgres",
      "postgres-array",
      "re2js",
      "ws",
      "yaml"
    ])
  })
})
