import { createServer, type RequestListener, type Server } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Layer, Scope } from "effect"
import { HttpRouter } from "effect/http"
import { StartError } from "../../kernel/StartError.ts"
import { noteArrival } from "../../platform/work/arrivals.ts"
import { awaitStart } from "../../platform/work/RequestPlaces.ts"
import { serviceUnavailable } from "../answer/errors.ts"
import type { Route } from "../Endpoint.ts"
import { isOperation, type OperationsOptions, operations } from "../operations/operations.ts"
import { ClientAddresses } from "../request/ClientAddresses.ts"
import { answerClientError } from "../request/clientError.ts"
import { type ConnectionLimits, Connections } from "./Connections.ts"
import type { GatewayOptions } from "./Gateway.ts"
import { makeApi, sendError } from "./listener.ts"

/** The highest number of bytes of all headers of a request; more are answered with 431. */
const maxHeaderSize = 32 * 1024
/** How long a server that stops waits for the requests that run. */
const shutdownTimeout = "10 seconds"

const serviceStopping = serviceUnavailable("503 Service Unavailable - the service is starting or stopping", 5)

const tooBusy = serviceUnavailable("503 Service Unavailable - too much is being asked for at the same time", 10)

/** A listening socket. */
export class HttpServer extends Context.Service<
  HttpServer,
  {
    /** The URL of the server, such as `http://127.0.0.1:8080`. */
    readonly url: string
    /**
     * Answers requests with `listener` as long as the scope lives, and then for the delay of its shutdown; then finishes those that run, for
     * at most ten seconds.
     */
    readonly serve: (listener: RequestListener) => Effect.Effect<void, never, Scope.Scope>
    /** Whether the scope of `serve` has ended: new requests should go elsewhere. */
    readonly isStopping: () => boolean
  }
>()("chronoforge/http/HttpServer") {}

const listen = (server: Server, host: string, port: number): Effect.Effect<void, StartError> =>
  Effect.callback((resume) => {
    const fail = (error: Error) => {
      resume(Effect.fail(new StartError({ message: `HOST and PORT: cannot listen at ${host}:${port}: ${error.message}` })))
    }
    server.once("error", fail)
    server.listen({ host, port }, () => {
      server.off("error", fail)
      resume(Effect.void)
    })
  })

/** Takes no more requests, waits for those that run, and answers 503 to what then still runs. Writes among it go on unseen. */
const stop = (server: Server, connections: Connections): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (!server.listening) return resume(Effect.void)
    server.close(() => resume(Effect.void))
    connections.closeIdle()
  }).pipe(
    Effect.timeoutOrElse({ duration: shutdownTimeout, orElse: () => Effect.void }),
    Effect.ensuring(Effect.sync(() => connections.closeAll((response) => sendError(response, serviceStopping))))
  )

const urlOf = (server: Server): string => {
  const bound = server.address()
  if (bound === null || typeof bound === "string") return `unix:${bound}`
  return `http://${bound.family === "IPv6" ? `[${bound.address}]` : bound.address}:${bound.port}`
}

export interface ServerLimits extends ConnectionLimits {
  /** For so many milliseconds a server that stops goes on as before, but for its readiness, so that no more is sent to it when it stops. */
  readonly shutdownDelayMillis?: number
}

/** Listens on `host` and `port`; 0 takes a free port. */
export const httpServer = (host: string, port: number, limits: ServerLimits): Layer.Layer<HttpServer, StartError> =>
  Layer.effect(
    HttpServer,
    Effect.gen(function* () {
      // Bodies have limits of time where they are read: a push may take hours.
      const server = createServer({ maxHeaderSize, requestTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 65_000 })
      const run = Effect.runForkWith(yield* Effect.context<never>())
      let answer: RequestListener = (_, response) => sendError(response, serviceStopping)
      let isStopping = false
      const onRequest: RequestListener = (request, response) => {
        // Who keeps connections opens the next one elsewhere.
        if (isStopping) response.shouldKeepAlive = false
        answer(request, response)
      }
      const onCrowd = (client: string, size: number) =>
        run(
          Effect.logWarning(
            `More than ${limits.maxConnections} connections are open, of which ${client} has ${size}: it loses one for each new one`
          )
        )
      const connections = new Connections(server, limits, onRequest, onCrowd)
      server.on("connection", noteArrival).on("clientError", answerClientError)
      yield* Effect.acquireRelease(listen(server, host, port), () => stop(server, connections))
      const lingering = Effect.suspend(() => {
        isStopping = true
        return limits.shutdownDelayMillis ? Effect.sleep(limits.shutdownDelayMillis) : Effect.void
      })
      return {
        url: urlOf(server),
        isStopping: () => isStopping,
        serve: (listener) =>
          Effect.acquireRelease(
            Effect.sync(() => {
              answer = listener
            }),
            () => Effect.andThen(lingering, stop(server, connections))
          )
      }
    })
  )

/** Answers a request that is for neither the interface nor the operator's pages, which are asked after it; false for one that it does not take. */
export type NodeHandler = (...exchange: Parameters<RequestListener>) => boolean

export interface ServiceOptions<S> extends GatewayOptions, Omit<OperationsOptions, "endpoints" | "isStopping"> {
  readonly nodeHandler: Effect.Effect<NodeHandler, never, S>
}

/** All routes: the operator's pages under `/-/`, what lies elsewhere, and the gateway for the rest, unknown paths included. */
export const service = <R, S>(routes: ReadonlyArray<Route<R>>, options: ServiceOptions<S>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const server = yield* HttpServer
      const api = yield* makeApi(routes, options)
      const endpoints = routes.map((route) => route.endpoint)
      const pages = yield* HttpRouter.toHttpEffect(operations({ ...options, endpoints, isStopping: server.isStopping }))
      // One of its own, which is closed behind what serves: pages are answered until then.
      const scope = yield* Effect.acquireRelease(Scope.make(), Scope.close)
      const page = yield* NodeHttpServer.makeHandler(pages, { scope })
      const nodeHandler = yield* options.nodeHandler
      const clients = yield* ClientAddresses
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const pageInTurn: RequestListener = (request, response) => {
        const inTurn = Effect.andThen(
          awaitStart(undefined, clients.of(request).network),
          Effect.sync(() => page(request, response))
        )
        run(Effect.catchTag(inTurn, "TooBusy", () => Effect.sync(() => sendError(response, tooBusy))))
      }
      yield* server.serve((request, response) => {
        if (nodeHandler(request, response)) return
        if (isOperation(request)) pageInTurn(request, response)
        else api(request, response)
      })
    })
  )
