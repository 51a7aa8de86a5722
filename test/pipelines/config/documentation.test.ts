import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { supportedKeys, unsupportedKeys } from "#src/pipelines/config/entries/job.ts"
import { compiled, invalid } from "./samples.ts"

const [, section = ""] = readFileSync("ARCHITECTURE.md", "utf8").split("## CI configuration\n")
const paragraphs = section.split(/^## /m)[0]?.split("\n\n") ?? []

/** The keywords that stand between backticks in the paragraph with this beginning; of `when: delayed` that is `when`. */
const wordsOf = (beginning: string): ReadonlySet<string> => {
  const paragraph = paragraphs.find((text) => text.startsWith(`**${beginning}.**`)) ?? expect.unreachable(beginning)
  return new Set([...paragraph.matchAll(/`([a-z_]+)(?:: [^`]*)?`/g)].flatMap(([, word]) => word ?? []))
}

const [read, handedOn, refused] = [wordsOf("Read"), wordsOf("Handed on"), wordsOf("Refused by name")]

it("ARCHITECTURE.md names all keywords of jobs that are supported", () => {
  const told = new Set([...read, ...handedOn])
  expect(supportedKeys.filter((keyword) => !told.has(keyword))).toEqual([])
})

it.each(unsupportedKeys)("%s is refused by name, and ARCHITECTURE.md tells so", async (keyword) => {
  expect([...refused]).toContain(keyword)
  expect([...read]).not.toContain(keyword)
  expect(await compiled(`a: {script: x, ${keyword}: b}`)).toEqual(invalid(`jobs:a:${keyword} is not supported here`))
})
