import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import manifest from "../../package.json" with { type: "json" }
import { chronoforge, type Ended } from "./chronoforge.ts"

const helpOf = (command: string): Promise<Ended> => chronoforge([...command.split(" ").filter(Boolean), "--help"], {})

/** The commands that a help lists below itself. */
const below = (help: string): ReadonlyArray<string> => {
  const [, list = ""] = /^SUBCOMMANDS\n((?: {2}.*\n)+)/m.exec(help) ?? []
  return list.split("\n").flatMap((line) => /^ {2}(\w+)/.exec(line)?.[1] ?? [])
}

/** A command with all below it, by what is typed for them. */
const helps = async (command = ""): Promise<ReadonlyArray<readonly [command: string, help: Ended]>> => {
  const help = await helpOf(command)
  const inner = await Promise.all(below(help.stdout).map((name) => helps(`${command} ${name}`.trim())))
  return [[command, help], ...inner.flat()]
}

describe("--help", () => {
  it("of every command tells arguments, examples of it, and exit codes; the README lists them all", async () => {
    const all = await helps()
    const told = all.map(([command, { code, stderr, stdout }]) => ({
      command,
      ended: [code, stderr],
      usage: stdout.includes(`\nUSAGE\n  chronoforge ${command}`.trimEnd()),
      codes: /Exit codes: 0 .*; 1 .*; 2 .*; 3 .*; 130 /.test(stdout),
      examples: new RegExp(`^EXAMPLES\n(?: {2}#.*\n {2}.*chronoforge ${command}.*\n*)+$`, "m").test(`${stdout}\n`)
    }))
    expect(told).toEqual(told.map(({ command }) => ({ command, ended: [0, ""], usage: true, codes: true, examples: true })))
    const [, table = ""] = /^## Command line\n(.*?)^## /ms.exec(readFileSync("README.md", "utf8")) ?? []
    const listed = [...table.matchAll(/^\| (`.*?) \| /gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`([a-z]+(?: [a-z]+(?= |`))?)/g)].map(([, command]) => command)
    )
    const leaves = all.filter(([, { stdout }]) => below(stdout).length === 0).map(([command]) => command)
    expect(listed.toSorted()).toEqual(leaves.toSorted())
  })
})

describe("wrong usage", () => {
  const cells: ReadonlyArray<readonly [words: string, error: string, usage: string, help: string]> = [
    ["history", "Missing required argument: stream", "chronoforge history [flags] <stream...>", "chronoforge history"],
    ["frob", 'Unknown subcommand "frob" for "chronoforge"', "chronoforge <subcommand> [flags]", "chronoforge"],
    [
      "verify --nope",
      "Unrecognized flag: --nope in command chronoforge verify",
      "chronoforge verify [flags]",
      "chronoforge verify"
    ]
  ]
  it.each(cells)("%s: the error, how it is written and where help is go to standard error", async (words, error, usage, help) => {
    const stderr = `ERROR\n  ${error}\n\nUSAGE\n  ${usage}\n\nHelp: npx ${help} --help\n`
    expect(await chronoforge(words.split(" "), {})).toEqual({ code: 2, stdout: "", stderr })
  })
})

it("the command line is a program of the package, which runs on the package's Node whatever stands first in the path", async () => {
  const { stdout } = await promisify(execFile)("scripts/chronoforge", ["--version"], { env: { PATH: "/usr/bin:/bin" } })
  expect([manifest.bin, stdout]).toEqual([{ chronoforge: "./scripts/chronoforge" }, `chronoforge v${manifest.version}\n`])
})
