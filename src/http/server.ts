import { createServer, type RequestListener, type Server } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer, type Scope } from "effect"
import { HttpRouter } from "effect/http"
import { StartError } from "../platform/StartError.ts"
import { errorAnswer, writeAnswer } from "./answer.ts"
import type { Route } from "./Endpoint.ts"
import { internalError } from "./errors.ts"
import { type GatewayOptions, makeGateway } from "./Gateway.ts"
import { incomingOf } from "./Incoming.ts"
import { isOperation, type OperationsOptions, operations } from "./operations.ts"
import { answerUnreadable } from "./unreadable.ts"
import { drain } from "./unreadBody.ts"

/** Of all headers of a request together, in bytes; more is 431. */
const maxHeaderSize = 32 * 1024
/** How long a server that stops waits for the requests that run. */
const patience = "10 seconds"

/** A socket that listens. */
export class HttpServer extends Context.Service<
  HttpServer,
  {
    /** `http://127.0.0.1:8080` */
    readonly url: string
    /** Answers requests with `listener` as long as the scope lives; then finishes those that run, for at most ten seconds. */
    readonly serve: (listener: RequestListener) => Effect.Effect<void, never, Scope.Scope>
  }
>()("chronoforge/http/HttpServer") {}

const listen = (server: Server, host: string, port: number): Effect.Effect<void, StartError> =>
  Effect.callback((resume) => {
    const refuse = (error: Error) => {
      resume(Effect.fail(new StartError({ message: `HOST and PORT: cannot listen at ${host}:${port}: ${error.message}` })))
    }
    server.once("error", refuse)
    server.listen({ host, port }, () => {
      server.off("error", refuse)
      resume(Effect.void)
    })
  })

/** Takes no more requests, waits for those that run, and ends what then still runs. */
const stop = (server: Server): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (!server.listening) return resume(Effect.void)
    server.close(() => resume(Effect.void))
  }).pipe(
    Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.void }),
    Effect.ensuring(Effect.sync(() => server.closeAllConnections()))
  )

const urlOf = (server: Server): string => {
  const bound = server.address()
  if (bound === null || typeof bound === "string") return `unix:${bound}`
  return `http://${bound.family === "IPv6" ? `[${bound.address}]` : bound.address}:${bound.port}`
}

/** Listens on `host` and `port`; 0 takes a free port. */
export const httpServer = (host: string, port: number): Layer.Layer<HttpServer, StartError> =>
  Layer.effect(
    HttpServer,
    Effect.gen(function* () {
      const server = createServer({ maxHeaderSize, requestTimeout: 300_000, headersTimeout: 60_000, keepAliveTimeout: 65_000 })
      server.on("clientError", answerUnreadable)
      yield* Effect.acquireRelease(listen(server, host, port), () => stop(server))
      return {
        url: urlOf(server),
        serve: (listener) =>
          Effect.acquireRelease(
            // A body that a client announces is only asked for when it is read.
            Effect.sync(() => server.on("request", listener).on("checkContinue", listener)),
            () => stop(server)
          ).pipe(Effect.asVoid)
      }
    })
  )

export interface ServiceOptions extends GatewayOptions, Omit<OperationsOptions, "endpoints"> {}

/** Answers what is under `/api`, and says of everything else that there is nothing. */
const makeApi = <R>(routes: ReadonlyArray<Route<R>>, options: GatewayOptions) =>
  Effect.gen(function* () {
    const gateway = yield* makeGateway(routes, options)
    const run = Effect.runForkWith(yield* Effect.context<Effect.Services<ReturnType<typeof gateway>["perform"]>>())
    const listener: RequestListener = (request, response) => {
      const { finish, isRead, perform } = gateway(incomingOf(request, response))
      const fiber = run(perform)
      fiber.addObserver((exit) => {
        const outgoing = finish(exit)
        if (outgoing === undefined || response.destroyed) return
        if (!request.complete) drain(request)
        try {
          writeAnswer(response, outgoing.answer, outgoing.standard)
        } catch {
          // A header that cannot be sent.
          writeAnswer(response, errorAnswer(internalError), outgoing.standard)
        }
      })
      if (isRead && fiber.pollUnsafe() === undefined) {
        response.once("close", () => {
          if (!response.writableEnded) fiber.interruptUnsafe()
        })
      }
    }
    return listener
  })

/** All routes: the operator's pages under `/-/`, and the gateway for everything else, unknown paths included. */
export const service = <R>(routes: ReadonlyArray<Route<R>>, options: ServiceOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const server = yield* HttpServer
      const api = yield* makeApi(routes, options)
      const endpoints = routes.map((route) => route.endpoint)
      const pages = yield* HttpRouter.toHttpEffect(operations({ ...options, endpoints }))
      const page = yield* NodeHttpServer.makeHandler(pages, { scope: yield* Effect.scope })
      yield* server.serve((request, response) => (isOperation(request) ? page : api)(request, response))
    })
  )
