import { existsSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { importAggregate } from "#src/imports/aggregate.ts"
import { ImportLimits } from "#src/imports/remote/ImportLimits.ts"
import { performImport } from "#src/imports/work/perform.ts"
import { handle } from "#src/platform/Commands.ts"
import { RecordedRefs } from "#src/pushes/RecordedRefs.ts"
import { field } from "#test/support/exactly.ts"
import { emptyRepository, gitFixture } from "#test/support/git/gitFixtures.ts"
import { packBomb } from "#test/support/git/packBomb.ts"
import { treeBomb } from "#test/support/git/treeBomb.ts"
import { useImports } from "./useImports.ts"

const { newProject, read, service } = useImports()
let root = ""
let made = 0

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "chronoforge-folder-"))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const newSource = () => emptyRepository(join(root, `source${made++}.git`))

/** Imports a folder into a new project: how that ended, and the project's repository. */
const imported = async (path: string, differing: Partial<ImportLimits["Service"]> = {}) => {
  const id = await newProject(`p${made++}`)
  const { outcome } = await service.run(
    Effect.orDie(handle(importAggregate, id, { _tag: "Schedule", source: { url: null, credentials: null } })).pipe(
      Effect.andThen(
        ImportLimits.use((limits) =>
          Effect.provideService(performImport(id, { _tag: "Folder", path }), ImportLimits, { ...limits, ...differing })
        )
      )
    )
  )
  const repository = gitFixture(await service.run(Repositories.use(({ of }) => Effect.succeed(of(id)))))
  return { id, outcome, repository }
}

const refsOf = ({ git }: { readonly git: (args: ReadonlyArray<string>) => string }) =>
  git(["for-each-ref", "--format=%(refname) %(objectname)"]).split("\n")

describe("a folder of the machine", () => {
  it("gives its branches and tags as they are, whatever its settings and hooks say", async () => {
    const { commits, git, repository } = newSource()
    const { one } = commits([{ mark: "one", files: { "README.md": "# One\n" } }, { mark: "two" }])
    git(["tag", "-a", "-m", "First", "v1", one])
    const ran = join(root, "ran")
    const command = `touch ${ran}; exec`
    for (const [name, value] of [
      ["core.hooksPath", join(root, "hooks")],
      ["core.fsmonitor", command],
      ["core.sshCommand", command],
      ["core.alternateRefsCommand", command],
      ["core.pager", command],
      ["uploadpack.packObjectsHook", command],
      ["credential.helper", `!${command}`],
      ["protocol.ext.allow", "always"],
      ["url.ext::sh -c touch% /nowhere.insteadOf", "/"]
    ] as const) {
      git(["config", name, value])
    }
    const { outcome, repository: target } = await imported(repository.path)
    expect([outcome, existsSync(ran)]).toEqual([{ _tag: "Finished", branches: 1, tags: 1 }, false])
    expect(refsOf(target)).toEqual(refsOf({ git }))
    expect(target.git(["cat-file", "-t", "v1"])).toBe("tag")
    target.git(["fsck", "--strict"])
  })

  it("whose refs have moved and cannot be recorded now has them recorded later", async () => {
    const { commits, repository } = newSource()
    const { one } = commits([{ mark: "one" }])
    const id = await newProject("unrecorded")
    const cut = Effect.gen(function* () {
      yield* handle(importAggregate, id, { _tag: "Schedule", source: { url: null, credentials: null } })
      const recorded = { ...(yield* RecordedRefs), of: () => Effect.die("cut") }
      const perform = performImport(id, { _tag: "Folder", path: repository.path })
      return yield* Effect.exit(Effect.provideService(perform, RecordedRefs, recorded))
    })
    await service.run(cut)
    const recorded = () => service.run(RecordedRefs.use((refs) => refs.of(id)))
    await expect.poll(recorded).toEqual(new Map([["refs/heads/main", one]]))
  })

  it("that leaves objects to be got from elsewhere gets nobody to run what its settings say", async () => {
    const whole = newSource()
    whole.commits([{ mark: "one", files: { "README.md": "# One\n" } }])
    const part = newSource()
    const ran = join(root, "ran-for-an-object")
    part.git(["fetch", "--quiet", whole.repository.path, "+refs/heads/*:refs/heads/*"])
    const blob = part.git(["rev-parse", "main:README.md"])
    part.git(["unpack-objects"], part.gitBytes(["pack-objects", "--stdout", "--all"]))
    await rm(join(part.repository.path, "objects", blob.slice(0, 2), blob.slice(2)))
    for (const [name, value] of [
      ["core.repositoryFormatVersion", "1"],
      ["extensions.partialClone", "origin"],
      ["remote.origin.promisor", "true"],
      ["remote.origin.url", whole.repository.path],
      ["remote.origin.uploadpack", `touch ${ran}; git-upload-pack`]
    ] as const) {
      part.git(["config", name, value])
    }
    const { outcome, repository } = await imported(part.repository.path)
    expect(outcome).toEqual({ _tag: "Failed", reason: "Objects of the repository are damaged or missing" })
    expect([existsSync(ran), refsOf(repository)]).toEqual([false, [""]])
  })

  it("that borrows objects is imported with them", async () => {
    const lender = newSource()
    const { one } = lender.commits([{ mark: "one", files: { "README.md": "# One\n" } }])
    const borrower = join(root, "borrower.git")
    lender.git(["clone", "--quiet", "--bare", "--shared", lender.repository.path, borrower])
    const { outcome, repository } = await imported(borrower)
    await rm(lender.repository.path, { recursive: true })
    expect(outcome).toEqual({ _tag: "Finished", branches: 1, tags: 0 })
    expect([refsOf(repository), existsSync(join(repository.repository.path, "objects/info/alternates"))]).toEqual([
      [`refs/heads/main ${one}`],
      false
    ])
    repository.git(["fsck", "--strict"])
  })

  it("that lacks a part of its history is refused", async () => {
    const whole = newSource()
    whole.commits([{ mark: "one" }, { mark: "two" }])
    const shallow = join(root, "shallow.git")
    whole.git(["clone", "--quiet", "--bare", "--depth=1", `file://${whole.repository.path}`, shallow])
    const { outcome, repository } = await imported(shallow)
    expect(outcome).toEqual({ _tag: "Failed", reason: "The repository is shallow: a part of its history is missing" })
    expect(refsOf(repository)).toEqual([""])
  })

  it("with ids of SHA-256 is refused", async () => {
    const path = join(root, "sha256.git")
    const { git } = newSource()
    git(["init", "--quiet", "--bare", "--object-format=sha256", path])
    const other = gitFixture({ path })
    other.git(["update-ref", "refs/heads/main", other.git(["commit-tree", "-m", "One", other.git(["mktree"], "")])])
    const { outcome, repository } = await imported(path)
    expect(outcome).toEqual({ _tag: "Failed", reason: "The repository has ids of another kind: sha256" })
    expect(refsOf(repository)).toEqual([""])
    repository.git(["fsck", "--strict"])
  })

  it("of someone else's clone with a work tree, or a bundle, is one too", async () => {
    const { commits, git, repository } = newSource()
    const { one } = commits([{ mark: "one" }])
    const [tree, bundle] = [join(root, "tree"), join(root, "all.bundle")]
    git(["clone", "--quiet", repository.path, tree])
    git(["bundle", "create", "--quiet", bundle, "--all"])
    for (const path of [tree, bundle]) {
      const ended = await imported(path)
      expect(ended.outcome).toEqual({ _tag: "Finished", branches: 1, tags: 0 })
      expect(refsOf(ended.repository)).toEqual([`refs/heads/main ${one}`])
    }
  })
})

describe("what would take too much", () => {
  it("of the disk is not imported", async () => {
    const { commits, repository } = newSource()
    commits([{ mark: "one" }])
    const { outcome, repository: target } = await imported(repository.path, { spare: () => Effect.succeed(-1) })
    expect(outcome).toEqual({ _tag: "Failed", reason: "There is no space left for the repository" })
    expect(refsOf(target)).toEqual([""])
  })

  it("of memory is refused before it is there: a few bytes that claim to become a tree of 2 GiB", async () => {
    const path = join(root, "bomb.bundle")
    await writeFile(path, Buffer.concat([Buffer.from(`# v2 git bundle\n${"1".repeat(40)} refs/heads/main\n\n`), packBomb()]))
    expect((await imported(path)).outcome).toEqual({
      _tag: "Failed",
      reason: "The repository has objects that are too large"
    })
  })
})

describe("a bomb of trees", () => {
  it("is not imported, whatever leads to it", async () => {
    const fixture = newSource()
    const trees = treeBomb(fixture, 10, 10)
    fixture.commits([{ mark: "one" }])
    fixture.git(["tag", "tree", trees.at(-1) ?? ""])
    const { outcome, repository: target } = await imported(fixture.repository.path)
    expect(outcome).toEqual({
      _tag: "Failed",
      reason: `directory e000000/e000000/e000000 (tree ${trees[6]}) expands to more than 5000000 paths (limit MAX_TREE_PATHS)`
    })
    expect(refsOf(target)).toEqual([""])
  })
})

describe("refs", () => {
  it("whose names the service does not take are left out, and all others are there at once", async () => {
    const { commits, git, repository } = newSource()
    const { one } = commits([{ mark: "one" }])
    const named = (name: string | Buffer) => Buffer.concat([Buffer.from("create "), Buffer.from(name), Buffer.from(` ${one}\n`)])
    const many = Array.from({ length: 3000 }, (_, index) => `refs/tags/t${String(index).padStart(4, "0")}`)
    const odd = ["refs/heads/grün/äpfel", "refs/heads/x y".replace(" ", "'"), "refs/tags/main"]
    const bad = [`refs/heads/${"x".repeat(201)}`, "refs/heads/-dash", Buffer.from("refs/heads/gr\xfcn", "latin1")]
    const other = ["refs/notes/commits", "refs/pull/1/head", "refs/keep-around/1"]
    git(["update-ref", "--stdin"], Buffer.concat([...many, ...odd, ...bad, ...other].map(named)))
    const { id, outcome, repository: target } = await imported(repository.path)
    expect(outcome).toMatchObject({ _tag: "Finished", tags: 3001 })
    const expected = ["refs/heads/main", ...odd, ...many].map((name) => `${name} ${one}`)
    expect(refsOf(target).toSorted()).toEqual(expect.arrayContaining(expected.toSorted()))
    expect(refsOf(target).filter((line) => /x{201}|�|notes|pull|keep/.test(line))).toEqual([])
    expect(field((await read(id)).body, "default_branch")).toBe("main")
  })

  it.each([
    ["HEAD", ["symbolic-ref", "HEAD", "refs/heads/a-first"], "a-first"],
    ["HEAD at the commit of a branch", ["update-ref", "--no-deref", "HEAD", "refs/heads/a-first"], "a-first"],
    ["its usual name where HEAD is at another commit", ["update-ref", "--no-deref", "HEAD", "refs/heads/master~1"], "master"],
    ["its usual name where HEAD names none", ["symbolic-ref", "HEAD", "refs/heads/gone"], "master"]
  ])("choose the default branch by %s", async (_, args, branch) => {
    const { commits, git, repository } = newSource()
    commits([
      { mark: "root", ref: "refs/heads/master" },
      { mark: "one", ref: "refs/heads/master" },
      { mark: "two", ref: "refs/heads/a-first", parents: ["one"] }
    ])
    git(args)
    const { id } = await imported(repository.path)
    expect(field((await read(id)).body, "default_branch")).toBe(branch)
  })
})
