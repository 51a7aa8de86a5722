import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import {
  chmod,
  chown,
  type FileHandle,
  lchown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat
} from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { StartError } from "../../../kernel/StartError.ts"
import { type Binaries, binaries } from "./binaries.ts"
import { chooseLaunch, type Launch } from "./user.ts"

/** The files of an embedded Postgres and what is needed to run it. */
export interface Cluster {
  /** DATA_DIR, without symbolic links. */
  readonly dataDir: string
  /** Postgres' own data folder, without symbolic links. */
  readonly folder: string
  readonly password: string
  readonly programs: Binaries
  readonly launch: Launch
}

/** The administrator of every embedded Postgres. */
export const superuser = "chronoforge"

const temporaryPrefix = "postgres.new-"

/** Surroundings of the programs: nothing of the caller's (PGDATA, PGPORT, LANG, ...) reaches them. */
export const environment = { PATH: process.env.PATH ?? "", LC_ALL: "C", TZ: "UTC" }

/** Runs a file operation of which a failure is the operator's to mend. */
export const fileOperation = <A>(dataDir: string, run: () => Promise<A>): Effect.Effect<A, StartError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      new StartError({ message: `DATA_DIR ${dataDir}: ${cause instanceof Error ? cause.message : String(cause)}` })
  })

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false
  )

/** The data folder. As root it is made passable, not readable, for the user that runs Postgres. */
const makeDataDir = async (dataDir: string): Promise<string> => {
  const made = await mkdir(dataDir, { recursive: true })
  if (made !== undefined && process.getuid?.() === 0) await chmod(dataDir, 0o711)
  return realpath(dataDir)
}

const withFile = async <A>(opened: Promise<FileHandle>, use: (file: FileHandle) => Promise<A>): Promise<A> => {
  await using file = await opened
  return await use(file)
}

/** Writes a file that only its owner may read, and returns when it is on disk. */
export const writePrivate = (path: string, text: string): Promise<void> =>
  withFile(open(path, "w", 0o600), async (file) => {
    await file.writeFile(text)
    await file.sync()
  })

const syncFolder = (path: string): Promise<void> => withFile(open(path, "r"), (file) => file.sync())

const giveToOwner = async (path: string, { owner }: Launch): Promise<void> => {
  if (owner !== undefined) await chown(path, owner.uid, owner.gid)
}

const initdb = (cluster: string, passwordFile: string, programs: Binaries, launch: Launch): Promise<void> => {
  const [command = "", ...args] = [
    ...launch.prefix,
    programs.initdb,
    `--pgdata=${cluster}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // The order of code points, and upper and lower case of all Unicode letters, the same on every machine.
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--data-checksums"
  ]
  return new Promise((resolve, reject) =>
    execFile(command, args, { cwd: "/", env: environment, ...launch.ids }, (error, _, stderr) =>
      error === null ? resolve() : reject(new Error(stderr.trim().split("\n").at(-1) || error.message))
    )
  )
}

/**
 * Makes password and cluster in a temporary folder and gives it its name when both are complete: a kill at any moment leaves
 * either nothing or everything. Of two that do this at once, the one that comes second keeps what the first one made.
 */
const initialise = async (dataDir: string, programs: Binaries, launch: Launch): Promise<void> => {
  const home = join(dataDir, "postgres")
  const temporary = await mkdtemp(join(dataDir, temporaryPrefix))
  try {
    const passwordFile = join(temporary, "password")
    await writePrivate(passwordFile, randomBytes(24).toString("base64url"))
    await giveToOwner(passwordFile, launch)
    await giveToOwner(temporary, launch)
    await initdb(join(temporary, "cluster"), passwordFile, programs, launch)
    await syncFolder(temporary)
    await rename(temporary, home)
    await syncFolder(dataDir)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    if (!(await exists(home))) throw error
  }
}

/** Removes what killed initialisations left. One that still runs fails by this, and finds that the cluster exists. */
const removeTemporaryClusters = async (dataDir: string): Promise<void> => {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(temporaryPrefix)) await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** Files that root restored from a backup belong to root: they are given to the user that runs Postgres. */
const restoreOwnership = async (home: string, { owner }: Launch): Promise<void> => {
  if (owner === undefined || (await stat(home)).uid === owner.uid) return
  for (const entry of await readdir(home, { recursive: true })) await lchown(join(home, entry), owner.uid, owner.gid)
  // The folder itself last: until then an interrupted change is seen and done again.
  await chown(home, owner.uid, owner.gid)
}

/** Opens the cluster in `<dataDir>/postgres`, made at the first call. */
export const openCluster = Effect.fn("embedded.openCluster")(function* (path: string) {
  const programs = yield* binaries
  const dataDir = yield* fileOperation(path, () => makeDataDir(path))
  const home = join(dataDir, "postgres")
  const launch = yield* chooseLaunch(programs.postgres, dataDir, home)
  const password = yield* fileOperation(dataDir, async () => {
    if (!(await exists(home))) await initialise(dataDir, programs, launch)
    await removeTemporaryClusters(dataDir)
    await restoreOwnership(home, launch)
    return (await readFile(join(home, "password"), "utf8")).trim()
  })
  return { dataDir, folder: join(home, "cluster"), password, programs, launch } satisfies Cluster
})
