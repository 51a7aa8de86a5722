import fc from "fast-check"
import * as linguist from "linguist-languages"
import { describe, expect, it } from "vitest"
import { makeProcesses } from "#src/platform/processes/Processes.ts"
import { defaultProcessLimits } from "#src/platform/processes/ProcessLimits.ts"
import { LanguageTally, sharesOf } from "#src/projects/languages/LanguageTally.ts"
import { type LinguistLanguage, languageOf } from "#src/projects/languages/languageTable.ts"
import { loadLanguageTable } from "#src/projects/languages/loadLanguageTable.ts"
import { isOwn } from "#src/projects/languages/ownPaths.ts"

const table = await loadLanguageTable(makeProcesses(defaultProcessLimits))
const all: ReadonlyArray<LinguistLanguage> = Object.values(linguist)

const tallied = (files: Readonly<Record<string, number>>) => {
  const tally = new LanguageTally(table)
  for (const [path, size] of Object.entries(files)) tally.add(path, size)
  return tally.bytes
}

describe("the language of a file", () => {
  it.each([
    ["main.ts", "TypeScript"],
    ["App.TSX", "TypeScript"],
    ["index.d.ts", "TypeScript"],
    ["Makefile", "Makefile"],
    ["Makefile.PL", "Perl"],
    ["CMakeLists.txt", "CMake"],
    ["Dockerfile", "Dockerfile"],
    ["Gemfile", "Ruby"],
    ["meson.build", "Meson"],
    [".bashrc", "Shell"],
    ["view.blade.php", "Blade"],
    ["view.php", "PHP"],
    ["a.b.c++", "C++"],
    ["view.js.erb", "JavaScript"],
    ["view.html.erb", "HTML"],
    ["main.rs", "Rust"],
    ["Main.cs", "C#"],
    ["run.fish", "Shell"],
    ["xmake.lua", "Xmake"]
  ])("%s is %s", (name, language) => {
    expect(languageOf(table, name)).toEqual({ _tag: "Known", language })
  })

  it.each([
    "README",
    "README.md",
    "notes.txt",
    "data.json",
    "a.yml",
    "a.xml",
    "a.sql",
    "logo.svg",
    "Cargo.lock",
    "go.sum",
    "build.gradle.kts",
    "cert.asc",
    "a.mod",
    "ts",
    ".ts.",
    ""
  ])("%j is none that counts", (name) => {
    expect(languageOf(table, name)).toBeUndefined()
  })

  it("is one that linguist knows for its ending or its name", () => {
    const meant = new Map<string, Array<string>>()
    for (const { extensions = [], filenames = [], group, name } of all)
      for (const text of [...extensions.map((extension) => extension.toLowerCase()), ...filenames])
        meant.set(text, [...(meant.get(text) ?? []), group ?? name])
    const known = [
      ...[...table.byEnding].map(([ending, language]) => [`.${ending}`, language] as const),
      ...table.byName,
      ...[...table.ambiguous].flatMap(([ending, { candidates }]) =>
        candidates.map(({ language }) => [`.${ending}`, language] as const)
      )
    ]
    expect(known.length).toBeGreaterThan(1800)
    expect(known.filter(([text, language]) => language !== null && !meant.get(text)?.includes(language))).toEqual([])
  })

  it("no ending is known and ambiguous at once", () => {
    for (const ending of table.ambiguous.keys()) expect(languageOf(table, `a.${ending}`)).toEqual({ _tag: "Ambiguous", ending })
  })
})

describe("an ending of several languages", () => {
  it.each<[Readonly<Record<string, number>>, string]>([
    [{ "a.h": 9 }, "C"],
    [{ "a.h": 9, "b.c": 1 }, "C"],
    [{ "a.h": 9, "b.c": 1, "c.cpp": 2 }, "C++"],
    [{ "a.h": 9, "b.m": 5 }, "Objective-C"],
    [{ "a.m": 9 }, "MATLAB"],
    [{ "a.pl": 9 }, "Perl"],
    [{ "a.v": 9, "b.sv": 1 }, "Verilog"],
    [{ "a.fs": 9, "a.fsproj": 1 }, "F#"],
    [{ "a.fs": 9, "a.vert": 1 }, "GLSL"],
    [{ "a.inc": 9, "b.php": 1 }, "PHP"],
    [{ "a.inc": 9, "b.pas": 2, "c.php": 1 }, "Pascal"]
  ])("%j is mostly %s", (files, language) => {
    expect(tallied(files)[0]?.[0]).toBe(language)
  })

  it("of which none is meant most often counts where neighbours tell, otherwise not", () => {
    expect(tallied({ "a.inc": 9, "b.md": 1 })).toEqual([])
    expect(tallied({ "a.inc": 9, "b.php": 1 })).toEqual([["PHP", 10]])
  })
})

describe("what is not the project's own", () => {
  it.each([
    "node_modules/a/index.js",
    "web/node_modules/a.js",
    "vendor/b/c.go",
    "src/Third-Party/x.c",
    "dist/app.js",
    "public/jquery-3.7.1.js",
    "app.min.css",
    "docs/conf.py",
    "examples/a.py",
    "src/documentation/a.py",
    "test/fixtures/a.rb",
    "api/a.pb.go",
    "a_pb2.py",
    "Form1.Designer.cs",
    "schema.generated.ts",
    "pkg/zz_generated.deepcopy.go",
    "src/__generated__/a.ts",
    ".yarn/releases/yarn.cjs",
    "gradlew",
    "ios/Pods/a.m",
    "css/normalize.css",
    "configure"
  ])("%s", (path) => {
    expect(isOwn(path)).toBe(false)
  })

  it.each([
    "src/a.js",
    "vendors.js",
    "lib/admin.css",
    "src/docs/a.ts",
    "undistorted/a.c",
    "minify.js",
    "test/a.rb",
    "generated.ts",
    "pkg/pods/a.go",
    "src/normalize.js"
  ])("unlike %s", (path) => {
    expect(isOwn(path)).toBe(true)
  })
})

describe("shares", () => {
  it("are percent with two digits, the most first, then by name", () => {
    const bytes = tallied({ "a.ts": 5000, "c/b.ts": 1669, "b.sh": 3331, "README.md": 99, "b.py": 0, "d.go": 3331 })
    expect(bytes).toEqual([
      ["TypeScript", 6669],
      ["Go", 3331],
      ["Shell", 3331]
    ])
    expect(JSON.stringify(sharesOf(bytes))).toBe('{"TypeScript":50.03,"Go":24.99,"Shell":24.99}')
    expect(sharesOf([])).toEqual({})
  })

  it("come to hundred, whatever the order of the files", () => {
    const files = fc.array(
      fc.tuple(fc.constantFrom("a.ts", "b.sh", "c.h", "d.cpp", "e.c", "f.m", "vendor/g.c", "h.md"), fc.nat(1_000_000)),
      { maxLength: 30 }
    )
    fc.assert(
      fc.property(files, (given) => {
        const count = (list: typeof given) => {
          const tally = new LanguageTally(table)
          for (const [path, size] of list) tally.add(path, size)
          return tally.bytes
        }
        const bytes = count(given)
        expect(count(given.toReversed())).toEqual(bytes)
        const shares = Object.values(sharesOf(bytes))
        expect(shares).toEqual(shares.toSorted((one, other) => other - one))
        const sum = shares.reduce((all, share) => all + share, 0)
        if (bytes.length > 0) expect(Math.abs(sum - 100)).toBeLessThanOrEqual(0.005 * shares.length + 1e-9)
      })
    )
  })
})
