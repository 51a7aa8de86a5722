import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import type { Push } from "#src/git/http/access.ts"
import { refLines, succeed, type WorkingCopy } from "./gitClient.ts"
import { type Begun, useGitService } from "./useGitService.ts"

const { begin, folder } = useGitService()
let service: Begun["service"]
let id = 0
let copy: Begun["copy"]
beforeEach(async () => {
  ;({ copy, id, service } = await begin())
})

const onServer = (...args: ReadonlyArray<string>) => succeed(`--git-dir=${service.repository(id).path}`, ...args)
const refs = () => onServer("for-each-ref", "--format=%(objectname) %(refname)")
const fsck = () => onServer("fsck", "--strict", "--no-dangling")
/** Clients order refs as they like. */
const byName = ({ updates }: Push) => [...updates].sort((one, other) => (one.ref < other.ref ? -1 : 1))

describe("a push", () => {
  it("makes, moves and removes branches and tags, and tells what moved", async () => {
    const first = await copy.git("rev-parse", "HEAD")
    await copy.git("tag", "--annotate", "--message=One", "v1")
    const tag = await copy.git("rev-parse", "v1")
    await copy.git("push", "origin", "main", "v1", "main:topic/a")
    const second = await copy.commit()
    await copy.git("push", "origin", "main", ":topic/a", ":v1")
    await copy.git("commit", "--amend", "--quiet", "-m", "Another")
    const third = await copy.git("rev-parse", "HEAD")
    await copy.git("push", "--force", "origin", "main")
    expect(service.pushes.map(byName)).toEqual([
      [
        { ref: "refs/heads/main", before: null, after: first },
        { ref: "refs/heads/topic/a", before: null, after: first },
        { ref: "refs/tags/v1", before: null, after: tag }
      ],
      [
        { ref: "refs/heads/main", before: first, after: second },
        { ref: "refs/heads/topic/a", before: first, after: null },
        { ref: "refs/tags/v1", before: tag, after: null }
      ],
      [{ ref: "refs/heads/main", before: second, after: third }]
    ])
    expect(await refs()).toBe(`${third} refs/heads/main`)
    await fsck()
  })

  it("that changes nothing is not recorded", async () => {
    await copy.git("push", "origin", "main")
    const { stderr } = await copy.attempt("push", "origin", "main")
    expect([stderr.trim(), service.pushes.length]).toEqual(["Everything up-to-date", 1])
  })

  it("carries options, of any text", async () => {
    const options = ["ci.skip", 'merge_request.title=It\'s "so" $HOME `id` \\ ü', ""]
    await copy.git("push", ...options.map((option) => `--push-option=${option}`), "origin", "main")
    expect(service.pushes.map((push) => push.options)).toEqual([options])
  })

  it("shows the lines that the record answers", async () => {
    service.onPush = () => Effect.succeed(["To create a merge request for main, visit:", "  http://example.com/new"])
    const { stderr } = await copy.attempt("push", "origin", "main")
    const told = stderr.split("\n").filter((line) => line.startsWith("remote:"))
    expect(told.map((line) => line.trimEnd())).toEqual([
      "remote: To create a merge request for main, visit:",
      "remote:   http://example.com/new"
    ])
  })

  it("is told after its record, also to a client that asks for no progress", async () => {
    let isRecorded = false
    service.onPush = () =>
      Effect.as(
        Effect.andThen(
          Effect.sleep(300),
          Effect.sync(() => (isRecorded = true))
        ),
        []
      )
    await copy.git("push", "--quiet", "origin", "main")
    expect(isRecorded).toBe(true)
  })

  it.each([
    ["fails", Effect.fail("no database")],
    ["dies", Effect.die("a bug")]
  ])("says so when its record %s", async (_, effect) => {
    service.onPush = () => effect
    const end = await copy.attempt("push", "origin", "main")
    expect([end.status, refLines(end)]).toEqual([
      1,
      ["! [remote rejected] main -> main (moved, but the service could not record it; fetch to see where it is)"]
    ])
    expect([await refs(), service.unrecorded]).toEqual([expect.stringContaining("refs/heads/main"), [`group/${id}`]])
  })

  it("is turned away as a whole by a client's lease", async () => {
    await copy.git("push", "origin", "main")
    await copy.commit()
    const end = await copy.attempt("push", "--force-with-lease=main:0000000000000000000000000000000000000001", "origin", "main")
    expect([end.status, refLines(end)]).toEqual([1, ["! [rejected] main -> main (stale info)"]])
  })

  it("is refused what git finds broken, and leaves nothing of it", async () => {
    await copy.git("push", "origin", "main")
    // A tree entry with the name of git's own folder.
    const within = Buffer.from(await copy.git("rev-parse", "HEAD^{tree}"), "hex")
    const tree = await hashObject(copy, "tree", Buffer.concat([Buffer.from("40000 .git\0"), within]))
    const commit = await copy.git("commit-tree", "-m", "Broken", tree)
    const end = await copy.attempt("push", "origin", `${commit}:refs/heads/broken`)
    expect(refLines(end)).toEqual([expect.stringMatching(/^! \[remote rejected\] \S+ -> broken \(unpacker error\)$/)])
    expect(end.stderr).toContain("hasDotgit")
    expect(await refs()).not.toContain("broken")
    expect(service.pushes.length).toBe(1)
    await expect(onServer("cat-file", "-e", commit)).rejects.toThrow()
  })

  it("takes a thousand refs", async () => {
    const commit = await copy.git("rev-parse", "HEAD")
    for (const part of [0, 1, 2, 3, 4])
      await copy.git("fetch", "--quiet", ".", ...Array.from({ length: 200 }, (_, index) => `HEAD:refs/tags/v${part}.${index}`))
    await copy.git("push", "--quiet", "origin", "--tags")
    expect(service.pushes.map(({ updates }) => [updates.length, new Set(updates.map(({ after }) => after))])).toEqual([
      [1000, new Set([commit])]
    ])
  })
})

/** Writes an object that `git` would not make. */
const hashObject = async (working: WorkingCopy, type: string, content: Buffer): Promise<string> => {
  const file = join(folder(), `object-${type}`)
  await writeFile(file, content)
  return working.git("hash-object", "-w", "-t", type, "--literally", file)
}
