import { readFile, stat } from "node:fs/promises"
import { resolve } from "node:path"
import { Console, Effect, Option, Result, Schedule } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { UserRow } from "../http/access/Caller.ts"
import { importAggregate } from "../imports/aggregate.ts"
import { remoteFault } from "../imports/remote/fault.ts"
import { parseImportUrl } from "../imports/remote/url.ts"
import { importLocks } from "../imports/work/locks.ts"
import { conclude, type Outcome, performImport, type Source } from "../imports/work/perform.ts"
import { probeFolder } from "../imports/work/probeFolder.ts"
import { sealCredentials } from "../imports/work/sealedCredentials.ts"
import { handle, load } from "../platform/Commands.ts"
import { CurrentOrigin } from "../platform/Origin.ts"
import { ProjectImports } from "../projects/ProjectImports.ts"
import { can, Projects, principalOf } from "../projects/Projects.ts"
import { RepositoryStorage } from "../projects/repository/RepositoryStorage.ts"
import { CommandFailed, WrongUsage } from "./exit.ts"
import { withHelp } from "./help.ts"
import { actingUser, asFlag, awaitShown, counted, makeProject, packRepository } from "./newProject.ts"
import { progressBar } from "./progressBar.ts"

const fail = (message: string) => new CommandFailed({ message })

/** The text of a file, `-` for the standard input, as `user:password`. */
const readCredentials = (file: string) =>
  Effect.tryPromise({
    try: () => readFile(file === "-" ? "/dev/stdin" : file, "utf8"),
    catch: () => fail(`The credentials could not be read from ${file}`)
  }).pipe(
    Effect.map((text) => /^([^:\n]*):([^\n]*)\n?$/.exec(text)),
    Effect.filterOrFail(
      (found) => found !== null,
      () => fail("Credentials are one line: user:password")
    ),
    Effect.map(([, user = "", password = ""]) => ({ user, password }))
  )

/** Nothing else in a path of this machine has a colon before the first slash; where it does, `./` helps. */
const isUrl = (text: string): boolean => /^[^/]*:/.test(text)

const folderSource = Effect.fnUntraced(function* (text: string): Effect.fn.Return<Source, CommandFailed> {
  const path = resolve(text)
  const isThere = yield* Effect.promise(() =>
    stat(path).then(
      () => true,
      () => false
    )
  )
  if (!isThere) return yield* fail(`There is no ${path}`)
  yield* probeFolder(path).pipe(Effect.mapError(({ stderr }) => fail(`${path} cannot be imported: ${remoteFault(stderr)}`)))
  return { _tag: "Folder", path }
})

/** What to import; a server or folder is asked for its repository before anything is made. */
const sourceOf = Effect.fnUntraced(function* (text: string, file: string | undefined) {
  if (!isUrl(text)) {
    if (file !== undefined) return yield* new WrongUsage({ message: `--credentials are for a URL, and ${text} is a path` })
    return yield* folderSource(text)
  }
  const ofFile = file === undefined ? undefined : yield* readCredentials(file)
  const parsed = parseImportUrl(text)
  if (Result.isFailure(parsed)) return yield* fail(parsed.failure)
  const credentials = ofFile ?? parsed.success.credentials
  const remote = { ...parsed.success, credentials }
  const address = new URL(remote.url)
  address.username = encodeURIComponent(credentials?.user ?? "")
  address.password = encodeURIComponent(credentials?.password ?? "")
  yield* ProjectImports.use((imports) => imports.probe(address.href)).pipe(Effect.mapError(({ message }) => fail(message)))
  const source: Source = { _tag: "Server", remote }
  return source
})

/** The project to import into: one without commits, or a new one. */
const emptyProject = Effect.fnUntraced(function* (fullPath: string, user: UserRow) {
  if (!fullPath.includes("/")) return yield* fail("Name the project with its namespace, such as group/project")
  const found = yield* Projects.use((projects) => projects.find(fullPath, user.id))
  if (found === undefined || found.isMoved) return yield* makeProject(fullPath, user)
  const { project, role } = found
  if (!can("admin_project", principalOf({ user }, role), project)) {
    return yield* fail(`${user.username} may not import into ${fullPath}`)
  }
  const isEmpty = yield* RepositoryStorage.use((storage) => storage.isEmpty(project.id))
  if (!isEmpty || !project.empty_repo) return yield* fail(`The project ${fullPath} is not empty`)
  return project.id
})

const stopped: Outcome = { _tag: "Failed", reason: "The command that was importing was stopped" }
const replaced: Outcome = { _tag: "Failed", reason: "It was begun anew from the command line" }

/** Imports while the progress is shown. Nobody else imports into the project meanwhile. */
const importInto = Effect.fnUntraced(function* (projectId: number, source: Source) {
  const locks = yield* importLocks
  if (!(yield* locks.tryTake(projectId))) return yield* fail("Another process is importing into the project")
  const { state } = yield* load(importAggregate, projectId)
  if (state._tag === "Scheduled" || state._tag === "Started") yield* conclude(projectId, replaced)
  const credentials = source._tag === "Folder" ? null : yield* sealCredentials(projectId, source.remote.credentials)
  const url = source._tag === "Folder" ? null : source.remote.url
  yield* Effect.orDie(handle(importAggregate, projectId, { _tag: "Schedule", source: { url, credentials } }))
  const bar = yield* progressBar
  let percent = 0
  const onPercent = (reached: number) => {
    percent = reached
  }
  const show = Effect.repeat(
    Effect.suspend(() => bar.show(percent / 100)),
    Schedule.spaced("200 millis")
  )
  return yield* Effect.raceFirst(performImport(projectId, source, onPercent), Effect.andThen(show, Effect.never)).pipe(
    Effect.raceFirst(locks.lost),
    Effect.ensuring(bar.clear),
    Effect.onError(() => conclude(projectId, stopped))
  )
}, Effect.scoped)

/** Brings a repository, with its branches and tags, into a project. */
export const importRepository = Command.make(
  "import",
  {
    source: Argument.String("path or url").pipe(
      Argument.withDescription("A repository of this machine, or one at an http or https address")
    ),
    project: Argument.String("group/project").pipe(
      Argument.withDescription("An empty project, or one that is created in an existing group or personal namespace")
    ),
    as: asFlag,
    credentials: Flag.String("credentials").pipe(
      Flag.withDescription(
        "File with user:password for the address, - for the standard input; in the URL, others could see them"
      ),
      Flag.optional
    )
  },
  Effect.fn("cli.import")(function* ({ as, credentials, project: fullPath, source: text }) {
    const user = yield* actingUser(as)
    const origin = { actor: `user:${user.id}`, correlationId: "system:cli" }
    const { outcome, position, projectId } = yield* Effect.gen(function* () {
      const source = yield* sourceOf(text, Option.getOrUndefined(credentials))
      const projectId = yield* emptyProject(fullPath, user)
      return { ...(yield* importInto(projectId, source)), projectId }
    }).pipe(Effect.provideService(CurrentOrigin, origin))
    yield* awaitShown(position)
    if (outcome._tag === "Failed")
      return yield* fail(`${outcome.reason}. The project ${fullPath} stays, empty: the same command tries again`)
    if (outcome._tag === "Cancelled") return yield* fail(`The project ${fullPath} was deleted meanwhile`)
    const { branches, tags } = outcome
    yield* Console.log(`Imported ${counted(branches, "branch", "branches")} and ${counted(tags, "tag", "tags")} into ${fullPath}`)
    yield* Console.error("Packing it for fast reading; stop this, and the service does it")
    yield* packRepository(projectId)
  })
).pipe(
  withHelp({
    brief: "Import a repository into a project",
    text:
      "Brings the branches and tags of a repository into an empty project, which is created if it does not exist. " +
      "Private addresses are asked only where IMPORT_ALLOW_PRIVATE is true. " +
      "Only name folders that you trust: one may borrow objects from any repository that you may read.",
    examples: [
      { command: "npx chronoforge import ../old-server/demo.git team/demo", description: "From a folder of this machine" },
      {
        command: "npx chronoforge import https://git.example.com/demo.git team/demo --as ada",
        description: "From another server, for ada"
      },
      {
        command: "npx chronoforge import https://git.example.com/demo.git team/demo --credentials ~/demo-credentials",
        description: "With a name and a password, or token, that a file holds"
      }
    ]
  })
)
