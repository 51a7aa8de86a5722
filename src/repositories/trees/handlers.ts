import { Effect } from "effect"
import type { TreeEntry } from "../../git/objects/tree.ts"
import { Repositories } from "../../git/Repositories.ts"
import { invalidParameters, thingNotFound } from "../../http/answer/errors.ts"
import { keysetHeaders, pageIn, pageOf } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { guardedRoute, type Input } from "../../http/Endpoint.ts"
import { mapInSlices } from "../../kernel/inSlices.ts"
import { requireCode } from "../access.ts"
import { listTree } from "../contract.ts"
import { commitOrDefault } from "../revision.ts"
import type { TreeEntryShape } from "../shapes.ts"
import { startOf, tokenAfter } from "./cursor.ts"
import { TreeListings } from "./TreeListings.ts"

type TreeInput = Input<typeof listTree.parameters, "anyone">

const noTree = thingNotFound("Tree")
const noPath = thingNotFound("invalid revision or path")
const onlyRecursive = invalidParameters([`pagination cannot be "none" unless "recursive" is true`])
const badToken = invalidParameters(["page_token is invalid"])

const present = ({ id, mode, name, path, type }: TreeEntry): typeof TreeEntryShape.Type => ({ id, name, type, path, mode })

const paginationOf = ({ page: number, pagination }: TreeInput["parameters"]) =>
  pagination ?? (typeof number === "number" ? "legacy" : "keyset")

const legacyPage = (entries: ReadonlyArray<TreeEntry>, { parameters }: TreeInput) =>
  page(pageIn(entries, parameters).map(present), entries.length)

/** A full page leads to a next one even when that is empty. */
const keysetPage = (entries: ReadonlyArray<TreeEntry>, start: number, { parameters, request }: TreeInput) => {
  const { limit } = pageOf(parameters)
  const shown = entries.slice(start, start + limit)
  const last = shown.length === limit ? shown.at(-1) : undefined
  const next = last && { page_token: tokenAfter(last, start + limit - 1) }
  // The project stands in the path already.
  const { id: _, ...sent } = parameters
  return { body: shown.map(present), headers: keysetHeaders({ request, table: listTree.parameters, parameters: sent, next }) }
}

export const treeRoute = guardedRoute(
  listTree,
  requireCode,
  Effect.fnUntraced(function* (input) {
    const { guarded, parameters } = input
    const { page_token, path, recursive, ref } = parameters
    const pagination = paginationOf(parameters)
    const isRecursive = recursive === true
    if (pagination === "none" && !isRecursive) return yield* onlyRecursive
    const { commit } = (yield* commitOrDefault(guarded.project, ref)) ?? (yield* noTree)
    const repository = (yield* Repositories).of(guarded.project.id)
    const listings = yield* TreeListings
    const listing = yield* Effect.orDie(listings.of({ repository, commit, path: path ?? "", isRecursive }))
    const entries = listing ?? (yield* noPath)
    if (pagination === "none") return ok(yield* mapInSlices(entries, present))
    if (pagination === "legacy") return legacyPage(entries, input)
    const start = page_token ? startOf(entries, page_token) : 0
    return keysetPage(entries, start ?? (yield* badToken), input)
  })
)
