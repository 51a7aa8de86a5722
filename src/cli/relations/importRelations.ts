import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { UserRow } from "../../http/access/Caller.ts"
import { EventStore } from "../../platform/eventStore/EventStore.ts"
import { query, Sql } from "../../platform/sql/Sql.ts"
import { Users } from "../../users/Users.ts"
import { CommandFailed } from "../exit.ts"
import { withHelp } from "../help.ts"
import { actingUser, asFlag, counted, packRepository } from "../newProject.ts"
import { progressBar } from "../progressBar.ts"
import { serverUrl } from "../serverUrl.ts"
import { peopleOf } from "./Import.ts"
import { type Destination, type Export, type Imported, importProject, readExport } from "./importProject.ts"
import type { Contents } from "./readAll.ts"

const fail = (message: string) => new CommandFailed({ message })

/** The lines of a file of users, each `12 ada`: the id of a user of the export, and the name or id of the one who stands for them. */
const readUsers = Effect.fnUntraced(function* (file: string) {
  const text = yield* Effect.tryPromise({ try: () => readFile(file, "utf8"), catch: () => fail(`${file} cannot be read`) })
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const pairs = yield* Effect.forEach(lines, (line) => {
    const [, id, name] = /^\s*(\d+)\s+(\S+)\s*$/.exec(line) ?? []
    return id === undefined || name === undefined
      ? fail(`A line of ${file} is no id and user: ${line}`)
      : Effect.succeed({ id, name })
  })
  return yield* Effect.forEach(pairs, ({ id, name }) =>
    Users.use((users) => users.findByIdOrUsername(name)).pipe(
      Effect.filterOrFail(
        (user) => user !== undefined,
        () => fail(`There is no user ${name}`)
      ),
      Effect.map((user) => [Number(id), user.id] as const)
    )
  )
})

/** Those of the export whose ids mean the same users here. */
const sameUsers = (ids: ReadonlySet<number>) =>
  Effect.map(
    Effect.forEach(ids, (id) => Users.use((users) => users.find(id))),
    (found) => found.flatMap((user) => (user === undefined ? [] : [[user.id, user.id] as const]))
  )

/** Imports while the progress is shown. */
const importShown = Effect.fnUntraced(function* (from: Export, to: Destination) {
  const bar = yield* progressBar
  let reached = 0
  const onProgress = (fraction: number) => {
    reached = fraction
  }
  const show = Effect.forever(
    Effect.andThen(
      Effect.suspend(() => bar.show(reached)),
      Effect.sleep("200 millis")
    )
  )
  return yield* Effect.raceFirst(importProject(from, { ...to, onProgress }), show).pipe(Effect.ensuring(bar.clear))
})

const words: ReadonlyArray<readonly [relation: string, one: string, several: string]> = [
  ["labels", "label", "labels"],
  ["milestones", "milestone", "milestones"],
  ["issues", "issue", "issues"],
  ["merge_requests", "merge request", "merge requests"],
  ["ci_pipelines", "pipeline", "pipelines"],
  ["pipeline_schedules", "schedule", "schedules"],
  ["releases", "release", "releases"],
  ["commit_notes", "comment on commits", "comments on commits"],
  ["protected_branches", "protected branch", "protected branches"],
  ["protected_tags", "protected tag", "protected tags"],
  ["uploads", "upload", "uploads"]
]

const summary = ({ counts }: Contents): string => {
  const told = words.flatMap(([relation, one, several]) => {
    const count = counts.get(relation) ?? 0
    return count === 0 ? [] : [counted(count, one, several)]
  })
  return told.length === 0 ? "no records" : told.join(", ")
}

/** Says for whom somebody else stands. */
const tellStrangers = (known: ReadonlyMap<number, number>, { userIds }: Contents, { username }: UserRow) => {
  const unknown = [...userIds].filter((id) => !known.has(id)).sort((some, other) => some - other)
  return unknown.length === 0
    ? Effect.void
    : Console.error(`Users ${unknown.join(", ")} of the export are not known here: what they did is told of ${username}`)
}

/** So many names are told. */
const maxTold = 20

const listed = (names: ReadonlyArray<string>): string =>
  [...names.slice(0, maxTold), ...(names.length > maxTold ? [`${names.length - maxTold} more`] : [])].join(", ")

/** The streams of the import that the read models do not show, because they refused an event. */
const parkedStreams = Effect.fnUntraced(function* ({ correlationId, first, last }: Imported) {
  const { client } = yield* Sql
  const parked = yield* query(
    () => client<Array<{ stream: string }>>`
      select distinct stream from chronoforge.parked_streams
      where generation = 'live' and position between ${first} and ${last} order by stream`
  )
  // Others write meanwhile.
  const ofImport = ({ stream }: { readonly stream: string }) =>
    Effect.map(
      EventStore.use((store) => store.read(stream)),
      (events) => events.some(({ metadata }) => metadata.correlationId === correlationId)
    )
  return (yield* Effect.filter(parked, ofImport)).map(({ stream }) => stream)
})

/** Says what was not made of an export: relations, files beside the uploads and what else is not kept, commits that are not there, and records that the database refused. */
const tellLosses = Effect.fnUntraced(function* ({ contents, folder }: Export, imported: Imported) {
  const unread = yield* folder.unread
  if (unread.length > 0) yield* Console.error(`Nothing is made of ${unread.join(", ")}`)
  const others = contents.otherFiles
  if (others.length > 0) {
    yield* Console.error(`No uploads, so nothing is made of them: ${listed(others.map((name) => JSON.stringify(name)))}`)
  }
  const { autoMerges, triggerJobs } = imported.lost
  if (autoMerges > 0) {
    const were = counted(autoMerges, "merge request was", "merge requests were")
    yield* Console.error(`${were} set to merge automatically, which ${autoMerges === 1 ? "it is" : "they are"} not here`)
  }
  if (triggerJobs > 0) yield* Console.error(`Nothing is made of ${counted(triggerJobs, "trigger job", "trigger jobs")}`)
  const iids = imported.withoutCommits.toSorted((some, other) => some - other)
  if (iids.length > 0) {
    const names = listed(iids.map((iid) => `!${iid}`))
    yield* Console.error(`Without their changes, because the repository lacks commits of them: ${names}`)
  }
  const parked = yield* parkedStreams(imported)
  if (parked.length > 0) yield* Console.error(`Not shown, because of what they hold: ${listed(parked)}`)
})

/** Reads the relations of an exported project into a new one. */
export const importRelations = Command.make(
  "import-relations",
  {
    folder: Argument.String("folder").pipe(
      Argument.withDescription("The files of an export, by the names under which they are downloaded")
    ),
    project: Argument.String("group/project").pipe(
      Argument.withDescription("A project that is not there yet, in an existing group or personal namespace")
    ),
    as: asFlag,
    users: Flag.String("users").pipe(
      Flag.withDescription("File with a line such as 12 ada for each user of the export: the id there, and the name here"),
      Flag.optional
    ),
    sameUsers: Flag.Boolean("same-users").pipe(
      Flag.withDescription("The export is of this installation: the ids of users mean the same"),
      Flag.withDefault(false)
    )
  },
  Effect.fn("cli.importRelations")(function* ({ as, folder, project: fullPath, sameUsers: keeps, users }) {
    const user = yield* actingUser(as)
    const named = Option.isSome(users) ? yield* readUsers(users.value) : []
    const from = yield* readExport(resolve(folder))
    const { userIds } = from.contents
    const known = new Map([...(keeps ? yield* sameUsers(userIds) : []), ...named])
    const imported = yield* importShown(from, {
      fullPath,
      user,
      people: peopleOf(known, user.id),
      externalUrl: yield* serverUrl
    })
    yield* tellStrangers(known, from.contents, user)
    yield* tellLosses(from, imported)
    yield* Console.log(`Imported ${summary(from.contents)} into ${fullPath}`)
    yield* packRepository(imported.projectId)
  })
).pipe(
  withHelp({
    brief: "Read an exported project into a new one",
    text:
      "Reads the files that GET /projects/:id/export_relations/download gives: labels.ndjson.gz, uploads.tar.gz and so on; of batches, " +
      "issues.1.ndjson.gz, issues.2.ndjson.gz and so on. All of them are read before anything is made, and what fails leaves nothing. " +
      "Everything keeps its times and authors; pipelines that were under way are canceled, schedules are switched off.",
    examples: [
      { command: "npx chronoforge import-relations ./demo-export team/demo", description: "All in the name of root" },
      {
        command: "npx chronoforge import-relations ./demo-export team/demo --users users.txt",
        description: "In the names of those who have accounts here too"
      },
      {
        command: "npx chronoforge import-relations ./demo-export team/copy --same-users",
        description: "A copy of a project of this installation"
      }
    ]
  })
)
