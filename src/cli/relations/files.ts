import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Schema, Stream } from "effect"
import { fileName, relations } from "../../exports/relations.ts"
import { mebibyte } from "../../kernel/units.ts"
import { CommandFailed } from "../exit.ts"
import { reasonOf, unpackedFile } from "./reading/unpacked.ts"

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

/** The longest line that is read: what is longer cannot be one text. */
const maxLineBytes = 500 * mebibyte

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

class LineTooLong extends Error {
  override readonly message = `a line has more than ${maxLineBytes / mebibyte} MiB`
}

/** The lines of a file, without their ends. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let [parts, size]: [Array<Buffer>, number] = [[], 0]
  for await (const chunk of unpackedFile(path) as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)]).toString("utf8")
      ;[parts, size, from] = [[], 0, end + 1]
    }
    parts.push(chunk.subarray(from))
    size += chunk.length - from
    if (size > maxLineBytes) throw new LineTooLong()
  }
  if (size > 0) yield Buffer.concat(parts).toString("utf8")
}

const jsonOf = (line: string): unknown => JSON.parse(line)

/** The decoder of the records of a relation; what it refuses is told with its place. */
const decoderOf = <T, E>(schema: Schema.Codec<T, E>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (line: string, place: string) =>
    Effect.try({ try: () => jsonOf(line), catch: () => fail(`${place} is no JSON`) }).pipe(
      Effect.flatMap((json) => Effect.mapError(decode(json), ({ message }) => fail(`${place}: ${message}`)))
    )
}

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
  /** Relations that are there and that nothing is made of. */
  readonly unread: ReadonlyArray<string>
  /** The paths of the files of a relation, in their order. */
  readonly files: (relation: string) => Effect.Effect<ReadonlyArray<string>, CommandFailed>
  /** The path of the file with the repository; undefined where it was not exported. */
  readonly repository: string | undefined
}

export const openFolder = Effect.fn("cli.openExport")(function* (folder: string) {
  const names = yield* Effect.tryPromise({ try: () => readdir(folder), catch: () => fail(`There is no folder ${folder}`) })
  const has = (relation: string) =>
    nameAmong(names, fileName(relation)) !== undefined || names.some((name) => batchOf(relation, name) > 0)
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
    unread: known.flatMap(({ kind, name }) =>
      (kind === "folder" && name !== "uploads") || unreadRelations.has(name) ? [name] : []
    ),
    repository: repository === undefined ? undefined : join(folder, repository)
  }
  return opened
})
