import { globSync, readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { describe, expect, it } from "vitest"

/** Areas, and the files of each that other areas may import besides `events.ts` and `ids.ts`. */
const areas: Readonly<Record<string, ReadonlyArray<string>>> = {
  users: ["PersonalProjects.ts", "Users.ts"],
  tokens: ["Tokens.ts"],
  keys: [],
  clusters: ["ManagementProjects.ts"],
  groups: ["GroupProjects.ts", "Groups.ts"],
  projects: ["ProjectImports.ts", "ProjectPushes.ts", "Projects.ts"],
  pushes: ["Pushes.ts"],
  repositories: ["MergedRequests.ts", "CommitMergeRequests.ts"],
  imports: []
}
/** What several areas share: it knows none of them. */
const kits = ["members", "changelog"]

/** What decides, in each area. */
const pureFiles = new Set(["aggregate.ts", "state.ts", "commands.ts", "errors.ts", "events.ts"])
/** What deciders need of the platform: the form of what they are, and of what is stored. Neither can wait. */
const storageOfDeciders = ["src/platform/Aggregate.ts", "src/platform/eventStore/codec.ts"]

/** The part of the program that a file belongs to: `src/http`, `src/users`, `projections`, `src` for what lies directly there. */
const partOf = (file: string): string => {
  const [top = "", folder = ""] = file.split("/")
  return top !== "src" ? top : folder.endsWith(".ts") ? top : `src/${folder}`
}
const areaOf = (file: string): string | undefined => Object.keys(areas).find((area) => partOf(file) === `src/${area}`)
const isIn = (file: string, ...folders: ReadonlyArray<string>): boolean => folders.some((folder) => partOf(file) === folder)

/** Why `file` may not import `imported`; undefined where it may. Both from the root of the project; packages as they are named. */
const objection = (file: string, imported: string): string | undefined => {
  const [from, to] = [areaOf(file), areaOf(imported)]
  const name = posix.basename(imported)
  if (partOf(imported) === "projections" && partOf(file).startsWith("src") && file !== "src/composition.ts")
    return "Nothing in src but composition.ts knows projections."
  if (isIn(file, "src/kernel") && imported.startsWith("src/") && !isIn(imported, "src/kernel"))
    return "The kernel knows nothing above it."
  if (isIn(file, "src/platform", "src/git") && isIn(imported, "src/http", "src/cli")) return "platform and git know no HTTP."
  if (isIn(file, "src/platform", "src/git", "src/http", ...kits.map((kit) => `src/${kit}`)) && to !== undefined)
    return "What areas share knows no area."
  if (from !== undefined && isIn(imported, "src/cli")) return "Areas know no command line."
  if (from !== undefined && to !== undefined && from !== to && ![...(areas[to] ?? []), "events.ts", "ids.ts"].includes(name))
    return "Of another area only events.ts, ids.ts and its port may be imported."
  if (from !== undefined && pureFiles.has(posix.basename(file))) {
    const waits = isIn(imported, "src/platform", "src/http", "src/git") && !storageOfDeciders.includes(imported)
    if (waits || imported.startsWith("node:")) return "Decisions are pure: no platform, no HTTP, no Node."
  }
  if (partOf(file) === "projections" && (isIn(imported, "src/cli", "src/git") || /^(main|program|composition)\.ts$/.test(name)))
    return "Projections know no command line and no git."
  if (partOf(file) === "projections" && /^(handlers|\w+Handlers?|aggregate|writes)\.ts$/.test(name))
    return "Projections know events and ports of areas, not how they decide."
  return undefined
}

const statement = /^\s*(?:import|export)\b[^"';]*?from "([^"]+)"|^\s*import "([^"]+)"|\bimport\("([^"]+)"\)/gm

/** What a file imports, as `objection` wants it. */
const importsOf = (file: string): ReadonlyArray<string> =>
  [...readFileSync(file, "utf8").matchAll(statement)].map(([, named, bare, late]) => {
    const text = named ?? bare ?? late ?? ""
    if (text.startsWith("#")) return text.slice(1)
    return text.startsWith(".") ? join(dirname(file), text) : text
  })

describe("folder directions", () => {
  it("are kept by every file", () => {
    const files = globSync(["src/**/*.ts", "projections/**/*.ts"])
    const broken = files.flatMap((file) =>
      importsOf(file).flatMap((imported) => {
        const why = objection(file, imported)
        return why === undefined ? [] : [`${file} imports ${imported}: ${why}`]
      })
    )
    expect([files.length > 100, broken]).toEqual([true, []])
  })

  it("every folder of src is known here", () => {
    const known = ["kernel", "platform", "git", "http", "cli", ...Object.keys(areas), ...kits]
    const folders = new Set(globSync("src/*/*.ts").map((file) => partOf(file).slice("src/".length)))
    expect([...folders].filter((folder) => !known.includes(folder))).toEqual([])
  })

  it.each([
    ["src/users/handlers.ts", "projections/layer.ts"],
    ["src/cli/serve.ts", "projections/layer.ts"],
    ["src/platform/Ids.ts", "src/users/events.ts"],
    ["src/platform/Ids.ts", "src/http/errors.ts"],
    ["src/git/run.ts", "src/projects/ids.ts"],
    ["src/http/answer.ts", "src/clusters/ids.ts"],
    ["src/members/rules.ts", "src/groups/events.ts"],
    ["src/kernel/decider.ts", "src/platform/Ids.ts"],
    ["src/users/present.ts", "src/tokens/aggregate.ts"],
    ["src/keys/userKey/aggregate.ts", "src/clusters/aggregate.ts"],
    ["src/users/aggregate.ts", "src/platform/Ids.ts"],
    ["src/keys/userKey/aggregate.ts", "src/platform/Commands.ts"],
    ["src/users/state.ts", "node:fs"],
    ["projections/layer.ts", "src/users/handlers.ts"],
    ["projections/users/projection.ts", "src/users/aggregate.ts"]
  ])("%s may not import %s", (file, imported) => {
    expect(objection(file, imported)).toEqual(expect.any(String))
  })

  it.each([
    ["src/composition.ts", "projections/layer.ts"],
    ["src/clusters/aggregate.ts", "src/platform/Aggregate.ts"],
    ["src/tokens/listHandler.ts", "src/users/Users.ts"],
    ["src/keys/fingerprintNames.ts", "src/users/events.ts"],
    ["src/users/moderationHandlers.ts", "src/platform/Ids.ts"],
    ["projections/users/project.ts", "src/users/events.ts"]
  ])("%s may import %s", (file, imported) => {
    expect(objection(file, imported)).toBeUndefined()
  })
})
