import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Option, Schema, Stream } from "effect"
import { fileName, relations } from "../../exports/relations.ts"
import { CommandFailed } from "../exit.ts"
import { linesOf, valueIn } from "./reading/lines.ts"
import { entriesOf, reasonOf, unpackedFile } from "./reading/unpacked.ts"

const fail = (message: string) => new CommandFailed({ message })

/** What nothing here is like. */
const unreadRelations: ReadonlySet<string> = new Set([
  "snippets",
  "external_pull_requests",
  "container_expiration_policy",
  "custom_attributes",
  "project_badges",
  "error_tracking_setting",
  "boards",
  "service_desk_setting"
])

/** The name of the file of a batch of a relation: `issues.2.ndjson.gz`. */
const batchName = (relation: string, number: number): string => fileName(relation).replace(".", `.${number}.`)

/** What a file is called that was unpacked already. */
const unpackedName = (name: string): string => name.replace(/\.gz$/, "")

/** The number of the batch of a relation that has a name; 0 for what is none. */
const batchOf = (relation: string, name: string): number => {
  const number = Number(/^[^.]+\.([1-9]\d*)\./.exec(name)?.[1] ?? 0)
  const whole = batchName(relation, number)
  return name === whole || name === unpackedName(whole) ? number : 0
}

/** The name of a file among those of a folder, where it may be unpacked; undefined where it is not there. */
const nameAmong = (names: ReadonlyArray<string>, name: string): string | undefined =>
  [unpackedName(name), name].find((either) => names.includes(either))

/** Whether a file of this name is that of a relation, or of a batch of it. */
const isOf = (relation: string, name: string): boolean =>
  nameAmong([name], fileName(relation)) !== undefined || batchOf(relation, name) > 0

/** The files of a relation among those of a folder, in their order; none where it was not exported. */
const filesOf = (names: ReadonlyArray<string>, relation: string) => {
  const whole = nameAmong(names, fileName(relation))
  const numbers = [...new Set(names.map((name) => batchOf(relation, name)))].filter((number) => number > 0).sort((a, b) => a - b)
  const batches = numbers.flatMap((number) => nameAmong(names, batchName(relation, number)) ?? [])
  const missing = numbers.findIndex((number, index) => number !== index + 1)
  if (whole !== undefined) return batches.length === 0 ? Effect.succeed([whole]) : fail(`There are ${whole} and ${batches[0]}`)
  if (missing >= 0) return fail(`There is ${batches[missing]}, but no ${batchName(relation, missing + 1)}`)
  return Effect.succeed(batches)
}

/** The decoder of the records of a relation; what it refuses is told with its place. */
const decoderOf = <T, E>(schema: Schema.Codec<T, E>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return Effect.fnUntraced(function* (line: Buffer, place: string) {
    const value = yield* valueIn(line)
    if (typeof value === "string") return yield* fail(`${place} ${value}`)
    return yield* Effect.mapError(decode(value.json), ({ message }) => fail(`${place}: ${message}`))
  })
}

/** Whether the file of a relation that nothing is made of holds a record, or, where it is a tar, a file. */
const holdsAny = async (path: string, isTar: boolean): Promise<boolean> => {
  if (isTar) {
    for await (const entry of entriesOf(path)) {
      if (entry.header.type !== "directory") return true
      entry.resume()
    }
    return false
  }
  for await (const chunk of unpackedFile(path) as AsyncIterable<Buffer>) {
    // Where there is no single value, the file tells null.
    if (!/^\s*(null\s*)?$/.test(chunk.toString("latin1"))) return true
  }
  return false
}

/** Whether any of several such files does; one that cannot be read may. */
const holdAny = (paths: ReadonlyArray<string>, isTar: boolean) =>
  Effect.map(
    Effect.findFirst(paths, (path) => Effect.promise(() => holdsAny(path, isTar).catch(() => true))),
    Option.isSome
  )

/** Refuses what no file could be read from, and a file that is there packed and unpacked. */
const requireFiles = Effect.fnUntraced(function* (folder: string, names: ReadonlyArray<string>) {
  for (const name of names.filter((name) => relations.some((relation) => isOf(relation.name, name)))) {
    const unpacked = unpackedName(name)
    if (unpacked !== name && names.includes(unpacked)) return yield* fail(`There are ${unpacked} and ${name}`)
    const found = yield* Effect.tryPromise({
      try: () => stat(join(folder, name)),
      catch: (cause) => fail(`${name} cannot be read: ${reasonOf(cause)}`)
    })
    if (!found.isFile()) return yield* fail(`${name} is no file`)
  }
})

/** A record, and the file and line where it stands. */
interface Placed<T> {
  readonly record: T
  readonly place: string
}

/** A folder with the files of an export, as they were downloaded. */
export interface ExportFolder {
  /** The records of a relation, in their order; none where it was not exported. Fails with what is wrong in which line of which file. */
  readonly records: <T, E>(relation: string, schema: Schema.Codec<T, E>) => Stream.Stream<T, CommandFailed>
  /** The same with their places. */
  readonly placed: <T, E>(relation: string, schema: Schema.Codec<T, E>) => Stream.Stream<Placed<T>, CommandFailed>
  /** The only value of a relation; null where there is none. */
  readonly value: <T, E>(relation: string, schema: Schema.Codec<T, E>) => Effect.Effect<T | null, CommandFailed>
  readonly has: (relation: string) => boolean
  /** Relations that hold something and that nothing is made of. */
  readonly unread: Effect.Effect<ReadonlyArray<string>>
  /** The paths of the files of a relation, in their order. */
  readonly files: (relation: string) => Effect.Effect<ReadonlyArray<string>, CommandFailed>
  /** The path of the file with the repository; undefined where it was not exported. */
  readonly repository: string | undefined
}

export const openFolder = Effect.fn("cli.openExport")(function* (folder: string) {
  const names = yield* Effect.tryPromise({ try: () => readdir(folder), catch: () => fail(`There is no folder ${folder}`) })
  yield* requireFiles(folder, names)
  const has = (relation: string) => names.some((name) => isOf(relation, name))
  const known = relations.filter(({ name }) => has(name))
  if (known.length === 0) return yield* fail(`${folder} holds no file of an export, such as ${fileName("labels")}`)
  const ofFile = <T, E>(name: string, schema: Schema.Codec<T, E>) => {
    const decode = decoderOf(schema)
    let line = 0
    return Stream.fromAsyncIterable(linesOf(join(folder, name)), (cause) =>
      fail(`${name} cannot be read: ${reasonOf(cause)}`)
    ).pipe(
      Stream.mapEffect((text) => {
        const place = `${name}, line ${++line}`
        return Effect.map(decode(text, place), (record) => ({ record, place }))
      })
    )
  }
  const placed: ExportFolder["placed"] = (relation, schema) =>
    Stream.fromEffect(filesOf(names, relation)).pipe(
      Stream.flatMap(Stream.fromIterable),
      Stream.flatMap((name) => ofFile(name, schema))
    )
  const records: ExportFolder["records"] = (relation, schema) => Stream.map(placed(relation, schema), ({ record }) => record)
  const repository = nameAmong(names, fileName("repository"))
  const opened: ExportFolder = {
    records,
    placed,
    value: (relation, schema) =>
      Effect.map(Stream.runCollect(records(relation, Schema.NullOr(schema))), ([value = null]) => value),
    files: (relation) => Effect.map(filesOf(names, relation), (found) => found.map((name) => join(folder, name))),
    has,
    unread: Effect.map(
      Effect.filter(
        known.filter(({ kind, name }) => (kind === "folder" && name !== "uploads") || unreadRelations.has(name)),
        ({ kind, name }) =>
          holdAny(
            names.filter((file) => isOf(name, file)).map((file) => join(folder, file)),
            kind === "folder"
          )
      ),
      (held) => held.map(({ name }) => name)
    ),
    repository: repository === undefined ? undefined : join(folder, repository)
  }
  return opened
})
