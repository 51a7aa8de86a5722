import { join } from "node:path"
import { Effect, Layer } from "effect"
import { awardQueries } from "#projections/awardEmoji/queries.ts"
import { managementProjects } from "#projections/clusters/managementProjects.ts"
import { clusterQueries } from "#projections/clusters/queries.ts"
import { commitCommentQueries } from "#projections/commitComments/queries.ts"
import { deploymentQueries } from "#projections/deployments/queries.ts"
import { exportRecords } from "#projections/exports/copyRecords.ts"
import { exportQueries } from "#projections/exports/queries.ts"
import { importQueries } from "#projections/imports/queries.ts"
import { issueQueries } from "#projections/issues/queries.ts"
import { keyQueries } from "#projections/keys/queries.ts"
import { signingKeys } from "#projections/keys/signingKeys.ts"
import { labelQueries } from "#projections/labels/queries.ts"
import { layerProjections } from "#projections/layer.ts"
import { labelingQueries } from "#projections/mergeRequests/labelEvents.ts"
import { mergedRequests } from "#projections/mergeRequests/mergedRequests.ts"
import { participationQueries } from "#projections/mergeRequests/participation.ts"
import { mergeRequestQueries } from "#projections/mergeRequests/queries.ts"
import { milestoneQueries } from "#projections/milestones/queries.ts"
import { namespaceQueries } from "#projections/namespaces/queries.ts"
import { noteQueries } from "#projections/notes/queries.ts"
import { pagesQueries } from "#projections/pages/queries.ts"
import { pipelineQueries } from "#projections/pipelines/queries.ts"
import { projectQueries } from "#projections/projects/queries.ts"
import { pushQueries } from "#projections/pushes/queries.ts"
import { readModels } from "#projections/readModels.ts"
import { releaseQueries } from "#projections/releases/queries.ts"
import { scheduleQueries } from "#projections/schedules/queries.ts"
import { stateEventQueries } from "#projections/stateEvents/queries.ts"
import { todoQueries } from "#projections/todos/queries.ts"
import { tokenQueries } from "#projections/tokens/queries.ts"
import { uploadQueries } from "#projections/uploads/queries.ts"
import { userQueries } from "#projections/users/queries.ts"
import { clusterRoutes } from "./clusters/handlers.ts"
import { AppConfig, redacted } from "./config.ts"
import { deploymentRoutes } from "./deployments/handlers.ts"
import { ExportStorage } from "./exports/files/ExportStorage.ts"
import { exportRoutes } from "./exports/handlers.ts"
import { Archives } from "./git/archive/Archives.ts"
import { Contributors } from "./git/contributors/Contributors.ts"
import { CommitGraphs } from "./git/history/CommitGraphs.ts"
import { makeGitHttp } from "./git/http/GitHttp.ts"
import { gitTarget } from "./git/http/route.ts"
import { Maintenance } from "./git/maintenance/Maintenance.ts"
import { Objects } from "./git/objects/Objects.ts"
import { spareBytes } from "./git/process/diskSpace.ts"
import { layerSpools } from "./git/process/Spools.ts"
import { Repositories } from "./git/Repositories.ts"
import { RepositoryTasks } from "./git/RepositoryTasks.ts"
import { layerAdvisoryPushLocks } from "./git/refs/advisoryPushLocks.ts"
import { TreeLimits } from "./git/trees/TreeLimits.ts"
import { GroupTree } from "./groups/GroupTree.ts"
import { groupRoutes } from "./groups/handlers.ts"
import { heldByGroup } from "./groups/names.ts"
import { layerOwnedGroups } from "./groups/tree/ownedGroups.ts"
import type { RequirementsOf, Route } from "./http/Endpoint.ts"
import { layerMeasuredEventStore } from "./http/operations/metrics.ts"
import { ClientAddresses } from "./http/request/ClientAddresses.ts"
import { originForm } from "./http/request/Incoming.ts"
import { makeObserver } from "./http/server/listener.ts"
import { RateLimiter } from "./http/server/RateLimiter.ts"
import { HttpServer, type NodeHandler } from "./http/server/server.ts"
import { versionRoutes } from "./http/version.ts"
import { layerImports } from "./imports/layer.ts"
import { ImportLimits } from "./imports/remote/ImportLimits.ts"
import { countLabelsOfIssues } from "./issues/countLabels.ts"
import { issueRoutes } from "./issues/handlers.ts"
import { keyRoutes } from "./keys/handlers.ts"
import { labelRoutes } from "./labels/handlers.ts"
import { LabelCounts } from "./labels/LabelCounts.ts"
import { Markdown } from "./markdown/Markdown.ts"
import { layerCollaborations } from "./mergeRequests/collaboration/layer.ts"
import { mergeRequestRoutes } from "./mergeRequests/handlers.ts"
import { countLabelsOfMergeRequests } from "./mergeRequests/labelEvents/countLabels.ts"
import { layerCommitMergeRequests } from "./mergeRequests/lists/ofCommits.ts"
import { layerPushReactions } from "./mergeRequests/pushOptions/layer.ts"
import { milestoneRoutes } from "./milestones/handlers.ts"
import { noteRoutes } from "./notes/handlers.ts"
import { pagesRoutes } from "./pages/handlers.ts"
import { PagesHost } from "./pages/PagesHost.ts"
import type { PageRequest } from "./pages/serving/findPage.ts"
import { servePage } from "./pages/serving/serve.ts"
import { siteTarget } from "./pages/serving/target.ts"
import { SiteStorage } from "./pages/sites/SiteStorage.ts"
import { Configurations } from "./pipelines/creation/Configurations.ts"
import { Leases } from "./pipelines/executors/Leases.ts"
import { pipelineRoutes } from "./pipelines/handlers.ts"
import { layerCommitPipelines } from "./pipelines/lists/commitPipelines.ts"
import { PipelineLimits } from "./pipelines/PipelineLimits.ts"
import { layerPostgres } from "./platform/eventStore/postgres.ts"
import { NameHolders } from "./platform/NameHolders.ts"
import { OwnerLock } from "./platform/OwnerLock.ts"
import { layerWork } from "./platform/processes/layer.ts"
import { ReactorSession } from "./platform/reactions/ReactorSession.ts"
import { layerSecretsPostgres } from "./platform/secrets/postgres.ts"
import type { Mode } from "./platform/sql/embedded/embedded.ts"
import { projectRoutes } from "./projects/handlers.ts"
import { Languages } from "./projects/languages/Languages.ts"
import { layerGroupProjects, layerPersonalProjects } from "./projects/lifecycle/groupProjects.ts"
import { heldByProject } from "./projects/names.ts"
import { DefaultProtections } from "./projects/protections/DefaultProtections.ts"
import { RepositoryStorage } from "./projects/repository/RepositoryStorage.ts"
import { unlessDeleted } from "./projects/repository/unlessDeleted.ts"
import { gitAccess } from "./pushes/gitAccess.ts"
import { layerProjectPushes } from "./pushes/projectPushes.ts"
import { Reconciliation } from "./pushes/Reconciliation.ts"
import { releaseRoutes } from "./releases/handlers.ts"
import { releasePage } from "./releases/pages.ts"
import { layerTagReleases } from "./releases/tagReleases.ts"
import { branchRoutes } from "./repositories/branches/handlers.ts"
import { commitCommentRoutes } from "./repositories/comments/handlers.ts"
import { commitRoutes } from "./repositories/commits/handlers.ts"
import { DownloadLimits } from "./repositories/DownloadLimits.ts"
import { fileRoutes } from "./repositories/files/handlers.ts"
import { repositoryRoutes } from "./repositories/handlers.ts"
import { tagRoutes } from "./repositories/tags/handlers.ts"
import { TreeListings } from "./repositories/trees/TreeListings.ts"
import { scheduleRoutes } from "./schedules/handlers.ts"
import { ScheduleLimits } from "./schedules/ScheduleLimits.ts"
import { layerScheduleVariables } from "./schedules/variables/scheduleVariables.ts"
import { todoRoutes } from "./todos/handlers.ts"
import { layerAuthenticator } from "./tokens/authentication/authenticator.ts"
import { TokenUse } from "./tokens/authentication/TokenUse.ts"
import { tokenRoutes } from "./tokens/handlers.ts"
import { UploadStorage } from "./uploads/files/UploadStorage.ts"
import { uploadRoutes } from "./uploads/handlers.ts"
import { uploadRequests } from "./uploads/pages.ts"
import { UploadLimits } from "./uploads/UploadLimits.ts"
import { userRoutes } from "./users/handlers.ts"
import { heldByUser } from "./users/names.ts"
import { SignIns } from "./users/signIns/SignIns.ts"

export { readModels }

const declared = [
  ...versionRoutes,
  ...userRoutes,
  ...tokenRoutes,
  ...keyRoutes,
  ...clusterRoutes,
  ...groupRoutes,
  ...projectRoutes,
  ...repositoryRoutes,
  ...branchRoutes,
  ...tagRoutes,
  ...commitRoutes,
  ...commitCommentRoutes,
  ...pipelineRoutes,
  ...scheduleRoutes,
  ...labelRoutes,
  ...milestoneRoutes,
  ...deploymentRoutes,
  ...pagesRoutes,
  ...issueRoutes,
  ...mergeRequestRoutes,
  ...todoRoutes,
  ...noteRoutes,
  ...releaseRoutes,
  ...uploadRoutes,
  ...exportRoutes,
  ...fileRoutes
]

const handled: ReadonlyArray<Route<RequirementsOf<typeof declared>>> = declared

/** Every endpoint with its handler. */
export const routes = handled.map(unlessDeleted)

/** The log that the settings choose. */
export const eventStore = Layer.unwrap(
  Effect.map(AppConfig, ({ eventStoreUrl }) => {
    if (eventStoreUrl === undefined || redacted(eventStoreUrl) === "") return layerPostgres
    // The client is loaded only where there is such a server.
    const loaded = Effect.promise(() => import("./platform/eventStore/eventStoreDb/eventStoreDb.ts"))
    return Layer.unwrap(Effect.map(loaded, ({ layerEventStoreDb }) => layerEventStoreDb(eventStoreUrl)))
  })
)

/** The questions that may be asked of the read models, over a migrated database. */
export const queries = Layer.mergeAll(
  userQueries,
  tokenQueries,
  keyQueries,
  clusterQueries,
  namespaceQueries,
  projectQueries,
  pushQueries,
  importQueries,
  commitCommentQueries,
  pipelineQueries,
  scheduleQueries,
  labelQueries,
  milestoneQueries,
  deploymentQueries,
  pagesQueries,
  issueQueries,
  mergeRequestQueries,
  mergedRequests,
  awardQueries,
  stateEventQueries,
  todoQueries,
  noteQueries,
  releaseQueries,
  uploadQueries,
  exportQueries,
  exportRecords,
  labelingQueries,
  participationQueries,
  signingKeys
)

/** The repositories and what reads them; its processes end with it. */
const git = Layer.mergeAll(Objects.layer, Archives.layer, Maintenance.layer, TreeLimits.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(layerAdvisoryPushLocks, Contributors.layer, CommitGraphs.layer, RepositoryTasks.layer())),
  Layer.provideMerge(Repositories.layer)
)

/** The areas whose things have paths, which share one space of names. */
const nameHolders = NameHolders.layer([heldByUser, heldByGroup, heldByProject])

/**
 * Log, read models and their upkeep, secrets, repositories: everything below the edge, over a migrated database. `log` is the one that the
 * settings choose, unless a test has its own.
 */
export const core = (mode: Mode, log = eventStore) =>
  Layer.mergeAll(
    Layer.provideMerge(Layer.merge(layerPersonalProjects, layerOwnedGroups), layerGroupProjects),
    managementProjects,
    Layer.provideMerge(layerProjectPushes, Reconciliation.layer)
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(RepositoryStorage.layer, DefaultProtections.layer, GroupTree.layer, OwnerLock.layer, layerImports)
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        queries,
        nameHolders,
        ImportLimits.layer,
        leases,
        PipelineLimits.layer,
        Layer.provide(Configurations.layer, git),
        ScheduleLimits.layer,
        PagesHost.layer,
        SiteStorage.layer,
        UploadLimits.layer,
        UploadStorage.layer,
        ExportStorage.layer,
        layerSecretsPostgres,
        ReactorSession.layer,
        git,
        layerProjections(readModels, mode === "own")
      )
    ),
    Layer.provideMerge(Layer.provide(layerMeasuredEventStore, log)),
    Layer.provideMerge(Layer.mergeAll(layerWork, layerSpools, Markdown.layer))
  )

/** What says who asks, and how often they may. */
const callers = Layer.unwrap(
  Effect.map(AppConfig, (settings) =>
    Layer.mergeAll(
      ClientAddresses.layer(settings.trustedProxies),
      RateLimiter.layer({
        unauthenticated: settings.rateLimitUnauthenticated,
        authenticated: settings.rateLimitAuthenticated
      }),
      SignIns.layer({
        maxAttempts: settings.maxLoginAttempts,
        unlockMinutes: settings.failedLoginAttemptsUnlockPeriodInMinutes
      })
    )
  )
)

/** For how long executors have jobs. */
const leases = Layer.unwrap(Effect.map(AppConfig, ({ jobLease }) => Leases.layer(jobLease)))

/** What requests need besides. */
export const edge = Layer.mergeAll(
  callers,
  Layer.provideMerge(layerAuthenticator, TokenUse.layer),
  TreeListings.layer,
  DownloadLimits.layer,
  Languages.layer,
  layerCollaborations,
  layerPushReactions,
  layerCommitMergeRequests,
  LabelCounts.layer(Effect.all([countLabelsOfIssues, countLabelsOfMergeRequests])),
  layerCommitPipelines,
  layerTagReleases,
  layerScheduleVariables
)

/** What visitors of sites ask for: `/-/pages-site/...`, or the hosts of sites. `externalUrl`: what links to the service begin with. */
const siteRequests = Effect.gen(function* () {
  const { domain } = yield* PagesHost
  const { url: serverUrl } = yield* HttpServer
  const { externalUrl = serverUrl } = yield* AppConfig
  const hosts = { own: new URL(externalUrl).host, domain }
  const observe = yield* makeObserver
  const run = Effect.runForkWith(yield* Effect.context<Effect.Services<ReturnType<typeof servePage>>>())
  const nodeHandler: NodeHandler = (request, response) => {
    const { headers, url = "/" } = request
    const target = siteTarget(originForm(url), headers.host, hosts)
    if (target === undefined) return false
    const observed = observe(request, response, "pages.site")
    // Only `set-cookie`, which no client sends, would be a list.
    const page = { ...target, externalUrl, headers: headers as PageRequest["headers"] }
    run(servePage(page, { request, response }, observed))
    return true
  }
  return nodeHandler
})

/** What is asked for at the addresses of releases, which the interface has: assets, and records of what they contained. */
const releaseRequests = Effect.map(
  makeObserver,
  (observe): NodeHandler =>
    (request, response) => {
      const location =
        request.method === "GET" || request.method === "HEAD" ? releasePage(originForm(request.url ?? "/")) : undefined
      if (location === undefined) return false
      observe(request, response, "releases.page")
      response.writeHead(302, { location, "content-length": 0, "cache-control": "no-cache" }).end()
      return true
    }
)

/** What clients of git ask for: `/group/project.git/...`. */
const gitRequests = Effect.gen(function* () {
  const { clientIdleTimeout, dataDir, packCacheSize } = yield* AppConfig
  const folder = join(dataDir, "tmp")
  const packs = { folder, maxBytes: packCacheSize * 1024 * 1024, spare: () => spareBytes(dataDir) }
  const limits = { idleMillis: clientIdleTimeout * 1000 }
  const { serve } = yield* makeGitHttp({ access: gitAccess, limits, ...(packCacheSize > 0 && { packs }) })
  const observe = yield* makeObserver
  const nodeHandler: NodeHandler = (request, response) => {
    const target = gitTarget(request.method ?? "GET", originForm(request.url ?? "/"))
    if (target === undefined) return false
    const route = "service" in target ? `git.${target.service.slice("git-".length)}` : "git"
    serve(target, request, response, observe(request, response, route))
    return true
  }
  return nodeHandler
})

/** What is asked for outside the interface and the operator's pages. */
export const otherRequests = Effect.map(
  Effect.all([siteRequests, Effect.succeed(uploadRequests), releaseRequests, gitRequests]),
  (handlers): NodeHandler =>
    (request, response) =>
      handlers.some((handler) => handler(request, response))
)
