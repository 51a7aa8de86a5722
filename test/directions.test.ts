import { globSync, readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { describe, expect, it } from "vitest"
import { deciding } from "./deciding.ts"
import { answering, joining, mayImport, ports, reserved } from "./directions.ts"
import { inside } from "./innerDirections.ts"
import { packages } from "./packages.ts"

const isIn = (folder: string, file: string): boolean => file === folder || file.startsWith(`${folder}/`)

/** The folder of the table that a file belongs to: the innermost one. What is inside it has rows of its own. */
const folderOf = (file: string): string | undefined =>
  Object.keys(mayImport)
    .filter((folder) => isIn(folder, file))
    .toSorted((one, other) => other.length - one.length)[0]

/** The rows of what is inside a folder of the table. */
const rowsOf = (folder: string) => inside[folder] ?? { ".": [] }

/** The row, of those inside its folder of the table, that a file belongs to: its own one, or that of the folder in which it lies. */
const rowOf = (file: string): string | undefined => {
  const folder = folderOf(file)
  if (folder === undefined) return undefined
  const path = posix.relative(folder, file)
  return [path, posix.dirname(path || ".")].find((row) => row in rowsOf(folder)) ?? (path === "" ? "." : undefined)
}

/** A row with its folder of the table before it, such as `src/groups/tree`. */
const placeOf = (folder: string, row: string | undefined): string => posix.join(folder, row ?? "")

const isOfProgram = (imported: string): boolean => /^(?:src|projections|test|scripts)\/|\.json$/.test(imported)
const packageOf = (imported: string): string =>
  imported.startsWith("node:") ? imported : imported.split("/", imported.startsWith("@") ? 2 : 1).join("/")

/** Whether a file of an area is one of those that the importing folder may see. */
const isOpen = (from: string, area: string, imported: string): boolean => {
  const name = posix.basename(imported)
  if (joining.includes(from) || name === "events.ts" || name === "ids.ts") return true
  if (from === answering && name === "Queries.ts") return true
  return ports[area]?.some((port) => imported === `${area}/${port}`) ?? true
}

/** Whether a file has a name, in which a star stands for any letters. */
const isCalled = (file: string, name: string): boolean =>
  new RegExp(`^${name.replaceAll(".", "\\.").replace("*", "\\w*")}$`).test(posix.basename(file))

const isDeciding = (file: string): boolean => {
  const folder = folderOf(file) ?? ""
  return (folder in ports || folder === "src/members") && deciding.files.some((name) => isCalled(file, name))
}

/** The entry of the list of what is pure that a file belongs to. */
const pureEntryOf = (file: string): string | undefined => Object.keys(deciding.pure).find((entry) => isIn(entry, file))

/** Whether a file may lead to nothing that can wait. */
const cannotWait = (file: string): boolean => isDeciding(file) || pureEntryOf(file) !== undefined

/** What is imported by way of a permission; undefined where there is none, and for what lies in the same folder. */
interface Import {
  readonly permission?: string
  readonly objection?: string
}

const packageImport = (file: string, imported: string): Import => {
  const name = packageOf(imported)
  const place = packages[name]?.find((folder) => isIn(folder, file))
  if (place === undefined) return { objection: "This package is not for this folder." }
  const computing = ["effect", ...(deciding.pure[pureEntryOf(file) ?? ""] ?? [])]
  if (cannotWait(file) && !computing.includes(name)) return { objection: "What decides knows nothing of Node and of packages." }
  return { permission: `${name} in ${place}` }
}

/** The same of what lies in the same folder of the table. */
const innerImport = (folder: string, row: string, imported: string): Import => {
  const to = rowOf(imported)
  if (row === to) return {}
  if (to === undefined || !rowsOf(folder)[row]?.includes(to))
    return { objection: `${placeOf(folder, row)} may not import ${placeOf(folder, to)}.` }
  return { permission: `${to} in ${folder}: ${row}` }
}

/** By which permission a file imports another one, or a package, or why it may not. Both from the root of the project. */
const judge = (file: string, imported: string): Import => {
  const from = folderOf(file)
  const row = rowOf(file)
  if (from === undefined || row === undefined) return { objection: "This folder is not in the table." }
  if (!isOfProgram(imported)) return packageImport(file, imported)
  const to = folderOf(imported) ?? imported
  if (cannotWait(file) && !cannotWait(imported)) return { objection: "What decides knows nothing that can wait." }
  if (reserved[imported]?.some((folder) => isIn(folder, file)) === false)
    return { objection: `Only ${reserved[imported].join(", ")} may import ${imported}.` }
  if (from === to) return innerImport(from, row, imported)
  const permitted = mayImport[from]?.find((folder) => folder === to || folder === imported)
  if (permitted === undefined) return { objection: `${from} may not import ${to}.` }
  if (!isOpen(from, to, imported)) return { objection: `Only the ports of ${to} are for others.` }
  return { permission: `${to} in ${from}` }
}

const statement = /^\s*(?:import|export)\b[^"';]*?from "([^"]+)"|^\s*import "([^"]+)"|\bimport\("([^"]+)"\)/gm

const importsOf = (file: string): ReadonlyArray<string> =>
  [...readFileSync(file, "utf8").matchAll(statement)].map(([, named, bare, late]) => {
    const text = named ?? bare ?? late ?? ""
    if (text.startsWith("#")) return text.slice(1)
    return text.startsWith(".") ? join(dirname(file), text) : text
  })

const files = globSync(["src/**/*.{js,ts}", "projections/**/*.ts"])
const all = files.flatMap((file) => importsOf(file).map((imported) => ({ file, imported, ...judge(file, imported) })))

/** Things that lead to one another in a circle; undefined where there are none. */
const circleIn = (graph: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyArray<string> | undefined => {
  const done = new Set<string>()
  const visit = (node: string, path: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return undefined
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...path, node])
      if (circle !== undefined) return circle
    }
    done.add(node)
    return undefined
  }
  return [...graph.keys()].map((node) => visit(node, [])).find((circle) => circle !== undefined)
}

/** Which files each file imports. */
const seen = new Map(files.map((file) => [file, new Set(all.filter((one) => one.file === file).map(({ imported }) => imported))]))

/** Which rows each row imports, whatever they are inside of. */
const knownInside = new Map<string, Set<string>>()
for (const { file, imported } of all) {
  const [from, to] = [file, imported].map((one) => `${folderOf(one)}: ${rowOf(one)}`)
  if (from === undefined || to === undefined || folderOf(imported) === undefined || from === to) continue
  knownInside.set(from, (knownInside.get(from) ?? new Set()).add(to))
}

/** Which folders each folder imports. */
const known = new Map(
  Object.keys(mayImport).map((folder) => {
    const imported = all.filter(({ file }) => folderOf(file) === folder).flatMap((one) => folderOf(one.imported) ?? [])
    return [folder, new Set(imported.filter((to) => to !== folder))]
  })
)

describe("imports", () => {
  it("are all permitted", () => {
    const refused = all.flatMap(({ file, imported, objection }) =>
      objection ? [`${file} imports ${imported}: ${objection}`] : []
    )
    expect([files.length > 500, all.length > 3_000, refused]).toEqual([true, true, []])
  })

  it("start processes in one place, with limits: but for the database, and the question which git there is", () => {
    const starting = /^import (?!type)[^"]*from "node:child_process"/m
    expect(files.filter((file) => starting.test(readFileSync(file, "utf8"))).toSorted()).toEqual([
      "src/git/process/gitVersion.ts",
      "src/platform/processes/Warden.ts",
      "src/platform/processes/spawner/Spawner.ts",
      "src/platform/processes/spawner/program.js",
      "src/platform/sql/embedded/cluster.ts",
      "src/platform/sql/embedded/postmaster.ts",
      "src/platform/sql/embedded/server.ts",
      "src/platform/sql/embedded/user.ts"
    ])
  })

  it("need every permission", () => {
    const used = new Set(all.map(({ permission }) => permission))
    const given = [
      ...Object.entries(mayImport).map(([from, to]) => [to, [from]] as const),
      ...Object.entries(inside).flatMap(([folder, rows]) =>
        Object.entries(rows).map(([row, to]) => [to, [`${folder}: ${row}`]] as const)
      ),
      ...Object.entries(packages).map(([name, places]) => [[name], places] as const)
    ]
    const permissions = given.flatMap(([what, places]) => what.flatMap((one) => places.map((place) => `${one} in ${place}`)))
    expect(permissions.filter((permission) => !used.has(permission))).toEqual([])
  })

  it("need every port, and everything that decides is a file", () => {
    const open = Object.entries(ports).flatMap(([area, names]) => names.map((name) => ({ area, port: `${area}/${name}` })))
    const isUsed = ({ area, port }: (typeof open)[number]) =>
      all.some(({ file, imported }) => imported === port && !isIn(area, file) && !joining.some((folder) => isIn(folder, file)))
    expect(open.filter((port) => !isUsed(port))).toEqual([])
    const uses = Object.entries(reserved).flatMap(([file, folders]) => folders.map((folder) => ({ file, folder })))
    expect(uses.filter((use) => !all.some(({ file, imported }) => imported === use.file && isIn(use.folder, file)))).toEqual([])
    expect(deciding.files.filter((name) => !files.some((file) => isCalled(file, name)))).toEqual([])
  })

  it("of what decides need everything that is listed as pure, and its packages", () => {
    const bound = all.filter(({ file }) => cannotWait(file))
    const isUsed = (entry: string) => bound.some(({ file, imported }) => !isIn(entry, file) && isIn(entry, imported))
    const isNeeded = (entry: string, name: string) => bound.some(({ file, imported }) => isIn(entry, file) && imported === name)
    expect(
      Object.entries(deciding.pure).flatMap(([entry, names]) => [
        ...(isUsed(entry) ? [] : [entry]),
        ...names.filter((name) => !isNeeded(entry, name)).map((name) => `${name} of ${entry}`)
      ])
    ).toEqual([])
  })

  it("lead to folders before, in no circle", () => {
    const order = Object.keys(mayImport)
    const isBefore = (one: string, other: string) => order.indexOf(one) < order.indexOf(other)
    const ahead = Object.entries(mayImport).flatMap(([from, folders]) =>
      folders.filter((to) => !isBefore(to, from)).map((to) => `${from} knows ${to}`)
    )
    expect([ahead, circleIn(known)]).toEqual([[], undefined])
    expect(known.get("src/clusters")).toEqual(new Set(["src/kernel", "src/platform", "src/platform/eventStore", "src/http"]))
  })

  it("lead inside folders to what is before, too, in no circle", () => {
    const ahead = Object.entries(inside).flatMap(([folder, rows]) => {
      const order = Object.keys(rows)
      return Object.entries(rows).flatMap(([from, known]) =>
        known
          .filter((to) => !order.slice(0, order.indexOf(from)).includes(to))
          .map((to) => `${placeOf(folder, from)} knows ${placeOf(folder, to)}`)
      )
    })
    expect([ahead, circleIn(knownInside)]).toEqual([[], undefined])
    expect(knownInside.get("src/groups: tree")).toContain("src/groups: reads")
    expect(knownInside.get("src/groups: tree")).toContain("src/http: answer")
  })

  it("are judged in every folder, and every row is a folder with files, or a file of the folder around it", () => {
    expect(files.filter((file) => rowOf(file) === undefined)).toEqual([])
    const rows = Object.entries(inside).flatMap(([folder, rows]) => Object.keys(rows).map((row) => ({ folder, row })))
    const isThere = ({ folder, row }: (typeof rows)[number]) =>
      files.some((file) => folderOf(file) === folder && rowOf(file) === row)
    expect(Object.keys(inside).filter((folder) => !(folder in mayImport))).toEqual([])
    expect(rows.filter((one) => !isThere(one) || /\/.*\.[jt]s$/.test(one.row))).toEqual([])
  })

  it("lead from no file back to it", () => {
    expect(circleIn(seen)).toBeUndefined()
  })

  it("that go in a circle are found", () => {
    const graph = new Map([
      ["a", new Set(["b"])],
      ["b", new Set(["c", "d"])],
      ["c", new Set<string>()],
      ["d", new Set(["b"])]
    ])
    expect(circleIn(graph)).toEqual(["b", "d", "b"])
  })

  it.each([
    ["src/kernel/uuid.ts", "src/platform/Ids.ts"],
    ["src/changelog/insert.ts", "src/git/Repository.ts"],
    ["src/changelog/insert.ts", "src/kernel/uuid.ts"],
    ["src/platform/Ids.ts", "src/users/events.ts"],
    ["src/platform/Ids.ts", "src/http/answer/errors.ts"],
    ["src/platform/Ids.ts", "src/platform/eventStore/eventStoreDb/eventStoreDb.ts"],
    ["src/git/process/run.ts", "src/projects/ids.ts"],
    ["src/git/process/run.ts", "src/http/answer/errors.ts"],
    ["src/git/refs/refs.ts", "src/git/http/access.ts"],
    ["src/repositories/access.ts", "src/git/http/access.ts"],
    ["src/http/answer/answer.ts", "src/clusters/ids.ts"],
    ["src/members/rules.ts", "src/groups/events.ts"],
    ["src/users/names.ts", "src/groups/Groups.ts"],
    ["src/users/handlers.ts", "src/platform/sql/Sql.ts"],
    ["src/users/handlers.ts", "projections/layer.ts"],
    ["src/labels/ensureLabels.ts", "src/platform/CurrentRun.ts"],
    ["src/users/handlers.ts", "src/cli/exit.ts"],
    ["src/groups/writes.ts", "src/projects/Projects.ts"],
    ["src/projects/refuse.ts", "src/pushes/Pushes.ts"],
    ["src/projects/refuse.ts", "src/users/present.ts"],
    ["src/keys/owner.ts", "src/users/Queries.ts"],
    ["src/keys/userKey/aggregate.ts", "src/projects/aggregate.ts"],
    ["src/repositories/access.ts", "src/groups/GroupTree.ts"],
    ["projections/layer.ts", "src/users/handlers.ts"],
    ["projections/users/projection.ts", "src/users/aggregate.ts"],
    ["projections/layer.ts", "src/git/Repository.ts"],
    ["projections/layer.ts", "src/composition.ts"],
    ["src/cli/serve.ts", "projections/layer.ts"],
    ["src/bootstrap.ts", "src/groups/Groups.ts"],
    ["src/main.js", "src/composition.ts"],
    ["src/config.ts", "test/support/until.ts"],
    ["src/groups/permissions.ts", "src/groups/tree/transfer.ts"],
    ["src/groups/reads/details.ts", "src/groups/tree/removeTree.ts"],
    ["src/groups/sharing/shareHandlers.ts", "src/groups/tree/transfer.ts"],
    ["src/groups/tree/handlers.ts", "src/groups/handlers.ts"],
    ["src/groups/tree/handlers.ts", "src/groups/newFolder/names.ts"],
    ["src/groups/tree/handlers.ts", "src/projects/ids.ts"],
    ["src/http/answer/answer.ts", "src/http/Endpoint.ts"],
    ["src/http/parameters/decodeParameters.ts", "src/http/answer/errors.ts"],
    ["src/git/process/run.ts", "src/git/objects/Objects.ts"],
    ["src/git/refs/staleLocks.ts", "src/git/maintenance/staleFiles.ts"],
    ["src/platform/Ids.ts", "src/platform/work/FairQueue.ts"],
    ["src/platform/sql/Sql.ts", "src/platform/sql/connect.ts"],
    ["src/pipelines/config/value.ts", "src/pipelines/config/entries/job.ts"],
    ["src/mergeRequests/reactions/refresh.ts", "src/mergeRequests/merging/merge.ts"],
    ["src/mergeRequests/decisions/aggregate.ts", "src/mergeRequests/view.ts"],
    ["projections/ReadModel.ts", "projections/todos/projection.ts"],
    ["src/cli/checks/database.ts", "src/cli/exit.ts"],
    ["src/groups/newFolder/handlers.ts", "src/groups/ids.ts"],
    ["src/groups/tree/newFolder/handlers.ts", "src/kernel/uuid.ts"],
    ["src/newArea/handlers.ts", "src/kernel/uuid.ts"],
    ["src/newFile.ts", "src/kernel/uuid.ts"]
  ])("%s may not import %s", (file, imported) => {
    expect(judge(file, imported)).toEqual({ objection: expect.any(String) })
  })

  it.each([
    ["src/users/aggregate.ts", "src/platform/Ids.ts"],
    ["src/users/commands.ts", "src/http/answer/errors.ts"],
    ["src/projects/state.ts", "src/git/Repository.ts"],
    ["src/keys/userKey/aggregate.ts", "src/platform/Commands.ts"],
    ["src/members/state.ts", "src/http/answer/errors.ts"],
    ["src/users/state.ts", "node:path"],
    ["src/users/state.ts", "lru-cache"],
    ["src/mergeRequests/decisions/decideApprovals.ts", "src/platform/Ids.ts"],
    ["src/issues/decide.ts", "src/platform/Ids.ts"],
    ["src/mergeRequests/decisions/decideTime.ts", "src/platform/Commands.ts"],
    ["src/pipelines/decideJobs.ts", "src/platform/Ids.ts"],
    ["src/clusters/faults.ts", "node:path"],
    ["src/clusters/aggregate.ts", "src/clusters/writes.ts"],
    ["src/projects/commands.ts", "src/groups/Groups.ts"],
    ["src/pipelines/processing.ts", "src/pipelines/Queries.ts"],
    ["src/schedules/timing.ts", "node:crypto"],
    ["src/platform/eventStore/codec.ts", "src/platform/eventStore/EventStore.ts"]
  ])("%s, which decides, may not import %s", (file, imported) => {
    expect(judge(file, imported)).toEqual({ objection: expect.stringContaining("What decides") })
  })

  it.each([
    ["src/users/handlers.ts", "postgres"],
    ["projections/layer.ts", "postgres"],
    ["src/platform/eventStore/postgres.ts", "@eventstore/db-client"],
    ["src/git/refs/refs.ts", "isomorphic-git"],
    ["src/git/refs/refs.ts", "node:child_process"],
    ["src/cli/serve.ts", "node:child_process"],
    ["src/repositories/access.ts", "node:fs/promises"],
    ["projections/layer.ts", "node:path"],
    ["src/changelog/yaml.ts", "left-pad"]
  ])("%s may not import the package %s", (file, imported) => {
    expect(judge(file, imported)).toEqual({ objection: "This package is not for this folder." })
  })

  it.each([
    ["src/composition.ts", "projections/layer.ts"],
    ["src/composition.ts", "src/users/handlers.ts"],
    ["src/cli/import.ts", "src/projects/lifecycle/writes.ts"],
    ["src/clusters/aggregate.ts", "src/platform/Aggregate.ts"],
    ["src/tokens/listHandlers.ts", "src/users/Users.ts"],
    ["src/keys/owner.ts", "src/users/events.ts"],
    ["src/projects/lifecycle/groupProjects.ts", "src/groups/GroupProjects.ts"],
    ["src/groups/tree/handlers.ts", "src/groups/reads/details.ts"],
    ["src/groups/handlers.ts", "src/groups/tree/handlers.ts"],
    ["projections/users/queries.ts", "src/users/Queries.ts"],
    ["projections/users/projection.ts", "src/users/events.ts"],
    ["src/platform/eventStore/eventStoreDb/append.ts", "@eventstore/db-client/generated/streams_pb.js"]
  ])("%s may import %s", (file, imported) => {
    expect(judge(file, imported)).toEqual({ permission: expect.any(String) })
  })
})

it("ARCHITECTURE.md says of each folder what it may import", () => {
  const rows = readFileSync("ARCHITECTURE.md", "utf8").matchAll(/^\| `((?:src|projections)[^`]*)` \| [^|]+ \| ([^|]+) \|$/gm)
  const short = (folders: ReadonlyArray<string>) => folders.map((folder) => folder.replace("src/", "")).join(", ")
  expect([...rows].map(([, folder, stated]) => [folder, stated])).toEqual(
    Object.entries(mayImport).map(([folder, imported]) => [folder, short(imported) || "nothing"])
  )
})

it("no folder has more than twenty files", () => {
  const within = globSync("{src,projections,test,scripts}/**/*", {
    withFileTypes: true,
    exclude: ["**/node_modules"]
  })
  const counts = Map.groupBy(
    within.filter((entry) => entry.isFile()),
    ({ parentPath }) => parentPath
  )
  expect([...counts].filter(([, entries]) => entries.length > 20).map(([folder]) => folder)).toEqual([])
  expect(counts.size).toBeGreaterThan(100)
})
