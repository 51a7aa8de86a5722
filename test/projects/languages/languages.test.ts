import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ambiguousEndings, languageOf } from "#src/projects/languages/knownLanguages.ts"
import { LanguageTally, sharesOf } from "#src/projects/languages/LanguageTally.ts"
import { isOwn } from "#src/projects/languages/ownPaths.ts"

const tallied = (files: Readonly<Record<string, number>>) => {
  const tally = new LanguageTally()
  for (const [path, size] of Object.entries(files)) tally.add(path, size)
  return tally.bytes
}

describe("the language of a file", () => {
  it.each([
    ["main.ts", "TypeScript"],
    ["App.TSX", "TypeScript"],
    ["index.d.ts", "TypeScript"],
    ["main.rs", "Rust"],
    ["Makefile", "Makefile"],
    ["Makefile.PL", "Perl"],
    ["CMakeLists.txt", "CMake"],
    ["Dockerfile", "Dockerfile"],
    ["Gemfile", "Ruby"],
    ["meson.build", "Meson"],
    [".bashrc", "Shell"],
    ["view.blade.php", "Blade"],
    ["view.php", "PHP"],
    ["a.b.c++", "C++"]
  ])("%s is %s", (name, language) => {
    expect(languageOf(name)).toEqual({ _tag: "Known", language })
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
    "ts",
    ".ts.",
    ""
  ])("%j is none that counts", (name) => {
    expect(languageOf(name)).toBeUndefined()
  })

  it("no ending is known and ambiguous at once", () => {
    for (const ending of ambiguousEndings.keys()) expect(languageOf(`a.${ending}`)).toEqual({ _tag: "Ambiguous", ending })
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
    [{ "a.fs": 9, "a.vert": 1 }, "GLSL"]
  ])("%j is mostly %s", (files, language) => {
    expect(tallied(files)[0]?.[0]).toBe(language)
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
          const tally = new LanguageTally()
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
