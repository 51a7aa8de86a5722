import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { Cause, Effect } from "effect"
import { uuidV7 } from "../../kernel/uuid.ts"
import { drain } from "../../platform/drain.ts"
import { RequestLog } from "../../platform/logging/logging.ts"
import { errorAnswer, writeAnswer } from "../answer/answer.ts"
import { internalError, type WireError } from "../answer/errors.ts"
import type { Route } from "../Endpoint.ts"
import { makeRequestRecorder } from "../operations/metrics.ts"
import { ClientAddresses } from "../request/ClientAddresses.ts"
import { incomingOf } from "../request/Incoming.ts"
import { maxDrainedBytes } from "../request/limits.ts"
import { clientClosedRequest, type GatewayOptions, makeGateway, type Outgoing } from "./Gateway.ts"

/** Answers outside the gateway: there is no request id and no log line. */
export const sendError = (response: ServerResponse, error: WireError): void => {
  const { body, headers, status } = errorAnswer(error)
  const length = Buffer.byteLength(body)
  response.writeHead(status, { "content-type": "application/json", "content-length": length, connection: "close", ...headers })
  response.end(body)
}

/** A request that is answered elsewhere. */
export interface ObservedRequest {
  readonly id: string
  /** What counts as one client. */
  readonly network: string
  /** The caller, such as `user:7`, once that is known. */
  caller: string | undefined
}

/** Counts and logs requests that are answered elsewhere, under the name of a route. */
export const makeObserver = Effect.gen(function* () {
  const record = yield* makeRequestRecorder
  const { logRequest } = yield* RequestLog
  const clients = yield* ClientAddresses
  return (request: IncomingMessage, response: ServerResponse, route: string): ObservedRequest => {
    const startedAt = performance.now()
    const { address, method, network, url } = incomingOf(request, response, clients.of(request))
    const observed: ObservedRequest = { id: uuidV7(), network, caller: undefined }
    response.setHeader("x-request-id", observed.id)
    response.once("close", () => {
      const status = response.headersSent ? response.statusCode : clientClosedRequest
      const durationMillis = performance.now() - startedAt
      record({ method, route, status, durationMillis })
      logRequest({ id: observed.id, caller: observed.caller, method, url, route, status, durationMillis, address })
    })
    return observed
  }
})

/** Ends the stream of an answer that nobody will read. */
const destroyBody = ({ answer: { body } }: Outgoing): void => {
  if (body instanceof Readable) body.destroy()
}

/** Answers what is under `/api`, and says of everything else that there is nothing. */
export const makeApi = <R>(routes: ReadonlyArray<Route<R>>, options: GatewayOptions) =>
  Effect.gen(function* () {
    const gateway = yield* makeGateway(routes, options)
    const clients = yield* ClientAddresses
    const run = Effect.runForkWith(yield* Effect.context<Effect.Services<ReturnType<typeof gateway>["perform"]>>())
    const failResponse = (response: ServerResponse, error: unknown): void => {
      run(Effect.logError("An answer could not be sent", Cause.die(error)))
      if (response.headersSent) response.destroy()
      else sendError(response, internalError)
    }
    const send = (response: ServerResponse, { answer, standard }: Outgoing): void => {
      try {
        writeAnswer(response, answer, standard)
      } catch (error) {
        // A header may be one that cannot be sent.
        failResponse(response, error)
      }
    }
    const listener: RequestListener = (request, response) => {
      const { finish, isRead, perform } = gateway(incomingOf(request, response, clients.of(request)))
      const fiber = run(perform)
      fiber.addObserver((exit) => {
        const outgoing = finish(exit)
        if (outgoing === undefined) return
        if (response.writableEnded || response.destroyed) return destroyBody(outgoing)
        drain(request, maxDrainedBytes)
        send(response, outgoing)
      })
      if (isRead && fiber.pollUnsafe() === undefined) {
        response.once("close", () => {
          if (!response.writableEnded) fiber.interruptUnsafe()
        })
      }
    }
    const safeListener: RequestListener = (request, response) => {
      try {
        listener(request, response)
      } catch (error) {
        failResponse(response, error)
      }
    }
    return safeListener
  })
