import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { gunzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { gzipCommand } from "#src/git/archive/gzipCommand.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { useStandardRepository } from "../useRepository.ts"

const folder = temporaryFolder()
const fixture = useStandardRepository()

it("is gzip where there is one, else git itself", () => {
  const [without, programs] = [join(folder(), "without"), join(folder(), "programs")]
  mkdirSync(without)
  mkdirSync(programs)
  writeFileSync(join(programs, "gzip"), "", { mode: 0o755 })
  const commands = [[], [without], [without, programs]].map((folders) => gzipCommand(folders.join(delimiter)))
  expect(commands).toEqual(["git archive gzip", "git archive gzip", "gzip -cn"])
})

it.each(["gzip -cn", "git archive gzip"])("%s gives the tar that git makes", (command) => {
  const archive = (format: string) =>
    execFileSync(
      "git",
      [`--git-dir=${fixture().repository.path}`, "-c", `tar.tar.gz.command=${command}`, "archive", `--format=${format}`, "main"],
      { maxBuffer: 64 * 1024 * 1024 }
    )
  expect(gunzipSync(archive("tar.gz")).equals(archive("tar"))).toBe(true)
})
