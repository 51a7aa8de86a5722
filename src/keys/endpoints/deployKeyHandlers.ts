import { Effect } from "effect"
import { notFound } from "../../http/answer/errors.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import { creates } from "../../platform/repeats.ts"
import { deployKeyAggregate } from "../deployKey/aggregate.ts"
import { presentDeployKey, presentDeployKeyWithProjects } from "../present.ts"
import { KeyQueries } from "../Queries.ts"
import { refuse } from "../refuse.ts"
import { createDeployKey as write } from "../writes.ts"
import { createDeployKey, listDeployKeys } from "./deployKeyContract.ts"

const list = route(
  listDeployKeys,
  Effect.fnUntraced(function* ({ parameters }) {
    const filter = { onlyPublic: parameters.public }
    const { rows, total } = yield* KeyQueries.use((keys) => keys.listDeployKeys(filter, pageOf(parameters)))
    return page(rows.map(presentDeployKeyWithProjects), total)
  })
)

const create = route(
  createDeployKey,
  Effect.fnUntraced(function* ({ parameters, caller }) {
    const { key, title, expires_at } = parameters
    const keyInput = { creatorId: caller.user.id, title: title ?? "", text: key ?? "", expiresAt: expires_at ?? null }
    const written = yield* refuse(creates(deployKeyAggregate, write(keyInput)))
    yield* awaitReadModels(written)
    const row = yield* KeyQueries.use((keys) => keys.find(written.id))
    return row === undefined ? yield* notFound : ok(presentDeployKey(row))
  })
)

export const deployKeyRoutes = [list, create]
