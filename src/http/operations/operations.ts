import type { IncomingMessage } from "node:http"
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { inSlices } from "../../kernel/inSlices.ts"
import type { EventStore } from "../../platform/eventStore/EventStore.ts"
import type { Projections } from "../../platform/Projections.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import { atMostEvery } from "../../platform/work/atMostEvery.ts"
import type { Endpoint } from "../Endpoint.ts"
import { docsHeaders, docsHtml } from "../openapi/docs.ts"
import { type OpenApiOptions, openApi } from "../openapi/openapi.ts"
import { originForm } from "../request/Incoming.ts"
import { namesHtml } from "./acceptance.ts"
import { makePage } from "./page.ts"
import {
  type CheckResult,
  defaultLimits,
  intervalMillis,
  makeReadiness,
  type Readiness,
  type ReadinessLimits,
  standardChecks
} from "./readiness.ts"
import { makeScrape } from "./scrape.ts"
import { makeWritability, type Writability } from "./writability.ts"

export interface OperationsOptions extends OpenApiOptions {
  readonly endpoints: ReadonlyArray<Endpoint>
  /** The folder that repositories lie in. */
  readonly dataDir: string
  readonly limits?: Partial<ReadinessLimits>
  /** Whether the server is about to stop, so that requests should go to another node. */
  readonly isStopping?: () => boolean
}

const stopping: CheckResult = { status: "failed", reason: "the service is stopping", millis: 0 }

const unlessStopping =
  ({ isStopping = () => false }: OperationsOptions) =>
  (found: Readiness): Readiness =>
    isStopping() ? { status: "unavailable", checks: { ...found.checks, shutdown: stopping } } : found

const paths = {
  root: "/",
  health: "/-/health",
  liveness: "/-/liveness",
  writes: "/-/health/writes",
  readiness: "/-/readiness",
  metrics: "/-/metrics",
  openapi: "/-/openapi.json",
  docs: "/-/docs"
} as const
const known: ReadonlySet<string> = new Set(Object.values(paths))

/** Whether a request is for one of the pages here: `/` is only where HTML is to be shown. */
export const isOperation = ({ headers, method, url = "" }: Pick<IncomingMessage, "headers" | "method" | "url">): boolean => {
  if (method !== "GET" && method !== "HEAD") return false
  const target = originForm(url)
  if (target === paths.root || target.startsWith("/?")) return namesHtml(headers.accept)
  if (!target.startsWith("/-/")) return false
  const mark = target.indexOf("?")
  return known.has(mark < 0 ? target : target.slice(0, mark))
}

const uncached = { "cache-control": "no-store" }
const prometheusText = "text/plain; version=0.0.4; charset=utf-8"

/**
 * The routes under `/-/`: `health` and `liveness` (200 as long as the process answers; the body tells whether changes can be stored), `health/writes` (the same
 * body, with 503 when they cannot), `readiness`, `metrics`, `openapi.json`, `docs`. `/` leads browsers to `docs`.
 * Gap: the reference service restricts them to an address list. They show nothing secret and are open here; a proxy in
 * front of a public instance should keep `/-/metrics` to itself.
 */
export const operations = (
  options: OperationsOptions
): Layer.Layer<never, never, HttpRouter.HttpRouter | Sql | EventStore | Projections> =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const limits = { ...defaultLimits, ...options.limits }
      const checks = yield* standardChecks(limits)
      const writability = yield* makeWritability(options.dataDir)
      const scrape = yield* atMostEvery(intervalMillis, yield* makeScrape(options.version))
      const readiness = Effect.map(yield* makeReadiness(checks, limits.time), unlessStopping(options))
      // The document is made when it is first requested, because it takes longer than all else here; others have their turns meanwhile.
      const document = yield* Effect.cached(Effect.suspend(() => inSlices(openApi(options.endpoints, options))))
      const openApiPage = yield* makePage({
        text: Effect.map(document, (made) => JSON.stringify(made)),
        contentType: "application/json"
      })
      const docsPage = yield* makePage({
        text: Effect.flatMap(document, docsHtml),
        contentType: "text/html; charset=utf-8",
        headers: docsHeaders(options.externalUrl)
      })

      const answerWritability = (statusOf: (writes: Writability["writes"]) => number) =>
        Effect.map(writability, (body) =>
          HttpServerResponse.jsonUnsafe(body, { status: statusOf(body.writes), headers: uncached })
        )
      for (const path of [paths.health, paths.liveness]) {
        yield* router.add(
          "GET",
          path,
          answerWritability(() => 200)
        )
      }
      yield* router.add(
        "GET",
        paths.writes,
        answerWritability((writes) => (writes === "ok" ? 200 : 503))
      )
      yield* router.add(
        "GET",
        paths.readiness,
        Effect.map(readiness, (found) =>
          HttpServerResponse.jsonUnsafe(found, { status: found.status === "ok" ? 200 : 503, headers: uncached })
        )
      )
      yield* router.add(
        "GET",
        paths.metrics,
        Effect.map(scrape, (text) => HttpServerResponse.text(text, { contentType: prometheusText, headers: uncached }))
      )
      yield* router.add("GET", paths.openapi, openApiPage)
      yield* router.add("GET", paths.docs, docsPage)
      // What a proxy puts in front of all paths belongs in front of this one.
      const docsPath = `${new URL(options.externalUrl).pathname.replace(/\/$/, "")}${paths.docs}`
      yield* router.add("GET", paths.root, HttpServerResponse.redirect(docsPath, { headers: { vary: "accept" } }))
    })
  )
