import { Effect } from "effect"
import { filterInSlices, inSlices } from "../../kernel/inSlices.ts"
import { generatedRules, type Rule } from "./generatedRules.ts"
import { type Budget, compileGlob, createBudget, type Glob, splitPath } from "./globs.ts"

/** Files that tools write: what locks versions, and wrappers of build tools. */
const names: ReadonlySet<string> = new Set(
  [
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock .pnp.cjs .pnp.loader.mjs",
    "Gemfile.lock gems.locked Cargo.lock composer.lock poetry.lock Pipfile.lock uv.lock pdm.lock pixi.lock conda-lock.yml",
    "go.sum go.work.sum Gopkg.lock glide.lock mix.lock rebar.lock pubspec.lock Podfile.lock Cartfile.resolved Package.resolved",
    "packages.lock.json paket.lock project.assets.json gradle.lockfile buildscript-gradle.lockfile flake.lock conan.lock",
    "MODULE.bazel.lock .terraform.lock.hcl Chart.lock cabal.project.freeze stack.yaml.lock Manifest.toml renv.lock",
    "gradlew gradlew.bat mvnw mvnw.cmd esy.lock"
  ].flatMap((line) => line.split(" "))
)

const endings = [
  ..."min.js min.mjs min.css js.map mjs.map css.map pb.go pb.cc pb.h pb.rb g.dart freezed.dart designer.cs Designer.cs".split(
    " "
  ),
  ..."g.cs g.i.cs xcuserstate nib xib.d".split(" ")
].map((ending) => `.${ending}`)

const wordEndings = ["_pb2.py", "_pb2_grpc.py", "_pb.js", "_pb.d.ts", "_grpc_pb.js", "_pb.rb"]

const folders: ReadonlySet<string> = new Set(["node_modules", "__generated__", "Godeps", ".yarn", "bower_components"])

/** Whether a file is known to be written by a tool, by its name or that of a folder around it. Gap: these are the well-known ones. */
export const isWellKnownGenerated = (path: string): boolean => {
  const parents = path.split("/")
  const name = parents.pop() ?? ""
  return (
    names.has(name) ||
    [...endings, ...wordEndings].some((ending) => name.length > ending.length && name.endsWith(ending)) ||
    parents.some((parent) => folders.has(parent))
  )
}

/** How many single steps the patterns of one file may take for all paths, a hundredth of a second. */
const maxSteps = 500_000

/** What the rules say of a path, of which the last that fits counts. Undefined where they say nothing, or no step is left to ask. */
const stated = (rules: ReadonlyArray<CompiledRule>, budget: Budget, path: string): boolean | undefined => {
  const names = splitPath(path)
  return rules.find(({ matches }) => !budget.isSpent() && matches(names, budget))?.isGenerated
}

interface CompiledRule extends Pick<Rule, "isGenerated"> {
  readonly matches: Glob
}

function* compiled(attributes: string): Generator<void, (path: string) => boolean> {
  const rules: Array<CompiledRule> = []
  for (const { isGenerated, pattern } of yield* generatedRules(attributes)) {
    rules.push({ isGenerated, matches: compileGlob(pattern) })
    yield
  }
  const budget = createBudget(maxSteps)
  return (path) => (budget.isSpent() ? undefined : stated(rules, budget, path)) ?? isWellKnownGenerated(path)
}

/**
 * Tells of one path after the other whether it is generated: as the `.gitattributes` at the root say, where the last matching line wins, else as
 * is well known. Gap: patterns that are made to take long match nothing more once they took it; attributes in other folders are not read.
 */
export const generatedTest = (attributes: string): Effect.Effect<(path: string) => boolean> => inSlices(compiled(attributes))

/** Which of the paths are generated. */
export const generatedFiles = (paths: ReadonlyArray<string>, attributes: string): Effect.Effect<ReadonlySet<string>> =>
  Effect.gen(function* () {
    const isGenerated = yield* generatedTest(attributes)
    return new Set(yield* filterInSlices(paths, isGenerated))
  })
