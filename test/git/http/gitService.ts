import { createServer, type RequestListener, type Server } from "node:http"
import { join } from "node:path"
import { ConfigProvider, Effect, Exit, Layer, Logger, ManagedRuntime, Scope } from "effect"
import { AppConfig } from "#src/config.ts"
import { Contributors } from "#src/git/contributors/Contributors.ts"
import { CommitGraphs } from "#src/git/history/CommitGraphs.ts"
import { AccessDenied, type AccessRequest, type GitAccess, type Push } from "#src/git/http/access.ts"
import { makeGitHttp } from "#src/git/http/GitHttp.ts"
import type { GitHttpLimits } from "#src/git/http/limits.ts"
import { gitTarget } from "#src/git/http/route.ts"
import { Maintenance } from "#src/git/maintenance/Maintenance.ts"
import { Repositories } from "#src/git/Repositories.ts"
import type { Repository } from "#src/git/Repository.ts"
import type { RefUpdate } from "#src/git/refs/pushedRefs.ts"
import { PushLocks } from "#src/git/refs/pushLocks.ts"
import { TreeLimits } from "#src/git/trees/TreeLimits.ts"
import { Connections } from "#src/http/server/Connections.ts"
import { defaultPlaces, makeWorkPlaces, type PlaceOptions, WorkPlaces } from "#src/platform/work/WorkPlaces.ts"
import { basicCredentials } from "#src/pushes/basicCredentials.ts"
import { challengeHeaders, gitTexts } from "#src/pushes/gitTexts.ts"
import { judge, type PushPolicy } from "#src/pushes/pushPolicy.ts"
import { noTasks } from "#test/support/git/noTasks.ts"

export const everythingAllowed: PushPolicy = {
  mayPush: true,
  collaborations: [],
  isMaintainer: true,
  defaultBranch: "main",
  noNewBranch: undefined,
  mayChangeTags: true,
  branches: [],
  tags: []
}

/** A small server with `makeGitHttp` and a stand-in for the areas: `group/<number>` is a project. */
export interface GitService {
  readonly url: string
  /** Makes the empty repository of `group/<id>`. */
  readonly create: (id: number) => Promise<Repository>
  readonly repository: (id: number) => Repository
  /** By the paths of projects. */
  readonly policies: Map<string, PushPolicy>
  /** What was recorded, in the order of the calls. */
  readonly pushes: Array<Push & { readonly path: string }>
  /** Paths of the projects of which `onUnrecorded` was called. */
  readonly unrecorded: Array<string>
  /** What asking for access dies of. */
  fault: unknown
  /** Called in place of the record that always succeeds. */
  onPush: (push: Push) => Effect.Effect<ReadonlyArray<string>, unknown>
  readonly maintenance: Maintenance["Service"]
  /** Answers what is not answered yet, as the service does when it stops and has waited long enough. */
  readonly answerAll: () => void
  readonly stop: () => Promise<void>
}

const denied = new AccessDenied({ status: 401, text: "HTTP Basic: Access denied.", headers: challengeHeaders })
const missing = new AccessDenied({ status: 404, text: "The project you were looking for could not be found." })
const noPush = new AccessDenied({ status: 403, text: "You are not allowed to push code to this project." })

/** Settings of the service by their variables. */
type Settings = Readonly<Record<string, string>>

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const bound = server.address()
      resolve(typeof bound === "object" && bound !== null ? `http://127.0.0.1:${bound.port}` : "")
    })
  })

const services = (dataDir: string, locks: Layer.Layer<PushLocks, never, AppConfig>, env: Settings) => {
  const settings = ConfigProvider.fromEnv({ env: { DATA_DIR: dataDir, ...env } })
  const config = AppConfig.layer.pipe(Layer.provide(ConfigProvider.layer(settings)))
  const repositories = Repositories.layer.pipe(Layer.provide(config), Layer.orDie)
  const upkeep = Maintenance.layer.pipe(
    Layer.provide(Layer.merge(Contributors.layer, CommitGraphs.layer)),
    Layer.provideMerge(Layer.merge(noTasks, Layer.provide(locks, Layer.orDie(config))))
  )
  return Layer.mergeAll(repositories, upkeep, Layer.provide(TreeLimits.layer, Layer.orDie(config)), Logger.layer([]))
}

export const startGitService = async (
  folder: string,
  limits: Partial<GitHttpLimits> = {},
  locks: Layer.Layer<PushLocks, never, AppConfig> = PushLocks.layer,
  places: PlaceOptions = defaultPlaces,
  maxSharedBytes = 64 * 1024 * 1024,
  env: Settings = {}
): Promise<GitService> => {
  const workPlaces = Layer.succeed(WorkPlaces, makeWorkPlaces(places))
  const runtime = ManagedRuntime.make(Layer.merge(services(join(folder, "data"), locks, env), workPlaces))
  const scope = await runtime.runPromise(Scope.make())
  const repositories = await runtime.runPromise(Effect.service(Repositories))
  const service: Omit<GitService, "url" | "answerAll" | "stop"> = {
    create: (id) => runtime.runPromise(repositories.create(id, "main")),
    repository: (id) => repositories.of(id),
    policies: new Map(),
    pushes: [],
    unrecorded: [],
    fault: undefined,
    onPush: () => Effect.succeed([]),
    maintenance: await runtime.runPromise(Effect.service(Maintenance))
  }
  /** `private/…` needs the password, `readonly/…` takes no push. */
  const grant = ({ authorization, path }: AccessRequest) => {
    if (service.fault !== undefined) return Effect.die(service.fault)
    const [group, id = ""] = path.split("/")
    const credentials = basicCredentials(authorization)
    if (credentials === undefined ? group === "private" : credentials.password !== "secret") return Effect.fail(denied)
    if (!/^\d+$/.test(id)) return Effect.fail(missing)
    return Effect.succeed({ repository: repositories.of(Number(id)), caller: credentials?.user ?? "anonymous" })
  }
  const access: GitAccess<never> = {
    challenge: denied,
    texts: gitTexts,
    fetch: grant,
    push: (request) =>
      Effect.flatMap(grant(request), (granted) => {
        if (request.path.startsWith("readonly/")) return Effect.fail(noPush)
        const onRefsUpdated = (push: Push) =>
          Effect.tap(service.onPush(push), () => Effect.sync(() => service.pushes.push({ ...push, path: request.path })))
        const onUnrecorded = Effect.sync(() => void service.unrecorded.push(request.path))
        const policy = () => service.policies.get(request.path) ?? everythingAllowed
        const verdicts = Effect.sync(() => (update: RefUpdate) => judge(policy(), update))
        return Effect.succeed({ ...granted, judge: verdicts, onRefsUpdated, onUnrecorded })
      })
  }
  const packs = { folder: join(folder, "packs"), maxBytes: maxSharedBytes, spare: async () => 1024 ** 3 }
  const git = await runtime.runPromise(Effect.provideService(makeGitHttp({ access, limits, packs }), Scope.Scope, scope))
  const listener: RequestListener = (request, response) => {
    const target = gitTarget(request.method ?? "GET", request.url ?? "/")
    if (target !== undefined)
      return git.serve(target, request, response, { id: "request", network: "127.0.0.1", caller: undefined })
    response.writeHead(404, { "content-type": "application/json" }).end('{"error":"404 Not Found"}')
  }
  const server = createServer({ maxHeaderSize: 32 * 1024, requestTimeout: 0 })
  const connections = new Connections(server, { idleMillis: 60_000, maxConnections: 1_000 }, listener)
  return Object.assign(service, {
    url: await listen(server),
    answerAll: () => connections.closeAll((response) => response.writeHead(503).end()),
    stop: async () => {
      server.close()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      server.closeAllConnections()
      await runtime.dispose()
    }
  })
}
