import { createHash } from "node:crypto"
import { Effect } from "effect"
import { Processes } from "../../../platform/processes/Processes.ts"
import { CurrentWork, inClass } from "../../../platform/work/CurrentWork.ts"
import type { TooBusy } from "../../../platform/work/FairQueue.ts"
import { inPlace } from "../../../platform/work/WorkPlaces.ts"
import { packBytes } from "../../objects/packBytes.ts"
import { Spools } from "../../process/Spools.ts"
import { spooled } from "../../process/spooled.ts"
import type { Repository } from "../../Repository.ts"
import type { Exchange } from "../exchange.ts"
import type { GitHttpLimits } from "../limits.ts"
import { flush, packet } from "../packets.ts"
import type { Service } from "../route.ts"
import { FetchBody } from "./FetchBody.ts"
import { makePack, uploadPack } from "./makePack.ts"
import { refsState } from "./refsState.ts"
import { relay } from "./relay.ts"
import type { SharedPack, SharedPacks } from "./SharedPacks.ts"
import { sendPack } from "./sendPack.ts"

const subcommand = (service: Service) => service.slice("git-".length)

/** The version of the protocol that a client asks for, as git wants it; undefined for the oldest, and for what is no version. */
export const protocolOf = ({ request }: Exchange): string | undefined => {
  const { "git-protocol": header } = request.headers
  const version = typeof header === "string" ? /(?:^|:)version=([012])(?::|$)/.exec(header)?.[1] : undefined
  return version === undefined || version === "0" ? undefined : `version=${version}`
}

/** Answers what the repository has and what this service can do: a list of many refs as slowly as the client likes, without a process. */
export const advertise = (exchange: Exchange, repository: Repository, service: Service, limits: GitHttpLimits) => {
  const requested = protocolOf(exchange)
  // Pushes have no second version.
  const protocol = service === "git-receive-pack" && requested === "version=2" ? undefined : requested
  const prefix = protocol === "version=2" ? {} : { prefix: Buffer.concat([packet(`# service=${service}\n`), flush]) }
  const args = [subcommand(service), "--stateless-rpc", "--advertise-refs"]
  const contentType = `application/x-${service}-advertisement`
  const request = { repository, args, class: "interactive", protocol, ...prefix } as const
  return Effect.gen(function* () {
    const advertised = yield* spooled(repository.path, makePack(yield* Processes, request))
    yield* sendPack(exchange, advertised, { ...limits, contentType })
    return yield* advertised.end
  })
}

const contentType = "application/x-git-upload-pack-result"
/** With this, a client is done finding out what is missing, and gets the objects. */
const doneLine = "0009done\n"

/** The objects for a body that asks for them, shared with all who ask for the same while no ref moves; undefined where that is not possible. */
const openShared = (
  packs: SharedPacks,
  repository: Repository,
  protocol: string | undefined,
  body: Buffer
): Effect.Effect<SharedPack | undefined, TooBusy> =>
  Effect.gen(function* () {
    if (!body.includes(doneLine)) return undefined
    const [state, size] = yield* Effect.promise(() => Promise.all([refsState(repository), packBytes(repository)]))
    if (state === undefined) return undefined
    const key = createHash("sha256")
      .update(JSON.stringify([repository.path, protocol, state]))
      .update(body)
      .digest("base64")
    const make = makePack(yield* Processes, { repository, protocol, body })
    return yield* packs.open(key, size, (spool, onStart) => inPlace(repository.path, make(spool, onStart)))
  })

/**
 * Answers one request of a fetch: a list of refs, a round of finding out what is missing, or the objects. Its place is taken once its body is
 * whole.
 */
export const fetch = (exchange: Exchange, repository: Repository, limits: GitHttpLimits, packs: SharedPacks | undefined) =>
  Effect.gen(function* () {
    const { caller } = yield* CurrentWork
    const body = new FetchBody(yield* Spools, caller, limits)
    const answering = Effect.gen(function* () {
      yield* body.receive(exchange, limits)
      const protocol = protocolOf(exchange)
      const { bytes } = body
      if (bytes !== undefined && packs !== undefined) {
        const shared = yield* openShared(packs, repository, protocol, bytes)
        if (shared !== undefined) {
          yield* body.release
          yield* sendPack(exchange, shared, { ...limits, contentType })
          return yield* shared.end
        }
      }
      const input = body.content()
      const answer = relay(exchange, { repository, args: uploadPack, class: "transfer", protocol, contentType, limits, input })
      return yield* inPlace(repository.path, answer)
    })
    return yield* Effect.ensuring(answering, body.release)
  }).pipe(inClass("transfer"))
