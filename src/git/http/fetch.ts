import { Effect } from "effect"
import { inClass } from "../../platform/work/CurrentWork.ts"
import { inPlace } from "../../platform/work/WorkPlaces.ts"
import type { Repository } from "../Repository.ts"
import type { Exchange } from "./exchange.ts"
import type { GitHttpLimits } from "./limits.ts"
import { flush, packet } from "./packets.ts"
import { relay } from "./relay.ts"
import { BodyRefused, RequestBody } from "./requestBody.ts"
import type { Service } from "./route.ts"

const subcommand = (service: Service) => service.slice("git-".length)

/** The version of the protocol that a client asks for, as git wants it; undefined for the oldest, and for what is no version. */
export const protocolOf = ({ request }: Exchange): string | undefined => {
  const { "git-protocol": header } = request.headers
  const version = typeof header === "string" ? /(?:^|:)version=([012])(?::|$)/.exec(header)?.[1] : undefined
  return version === undefined || version === "0" ? undefined : `version=${version}`
}

/** Answers what the repository has and what this service can do. */
export const advertise = (exchange: Exchange, repository: Repository, service: Service, limits: GitHttpLimits) => {
  const requested = protocolOf(exchange)
  // Pushes have no second version.
  const protocol = service === "git-receive-pack" && requested === "version=2" ? undefined : requested
  const prefix = protocol === "version=2" ? {} : { prefix: Buffer.concat([packet(`# service=${service}\n`), flush]) }
  const args = [subcommand(service), "--stateless-rpc", "--advertise-refs"]
  const contentType = `application/x-${service}-advertisement`
  return inPlace(
    repository.path,
    relay(exchange, { repository, args, class: "interactive", protocol, contentType, limits, ...prefix })
  )
}

const tooLarge = new BodyRefused({ status: 413, text: "The request for a fetch is too large." })

/** Answers one request of a fetch: a list of refs, a round of finding out what is missing, or the objects. Its body is waited for without a place. */
export const fetch = (exchange: Exchange, repository: Repository, limits: GitHttpLimits) =>
  Effect.gen(function* () {
    const body = new RequestBody(exchange)
    yield* body.awaitHead(limits.idleMillis)
    let size = 0
    const inspect = (chunk: Buffer) => {
      size += chunk.length
      return size > limits.maxFetchBytes ? tooLarge : undefined
    }
    const answer = relay(exchange, {
      repository,
      args: ["upload-pack", "--stateless-rpc"],
      class: "transfer",
      protocol: protocolOf(exchange),
      contentType: "application/x-git-upload-pack-result",
      limits,
      input: { body, inspect }
    })
    return yield* inPlace(repository.path, answer)
  }).pipe(inClass("transfer"))
