import { Effect } from "effect"
import type { Parent } from "../parents/Parent.ts"
import { guardOf, handle } from "../platform/Commands.ts"
import { nextId } from "../platform/Ids.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { outsideRun } from "../platform/repeats.ts"
import { labelAggregate } from "./aggregate.ts"
import type { LabelSettings } from "./events.ts"
import { isTitle } from "./faults.ts"
import { labelIdOf } from "./ids.ts"
import { LabelQueries } from "./Queries.ts"
import { requireOwnTitle, reserveTitle } from "./titles.ts"

/** The color of a label that is made by being named. */
const defaultColor = "#6699cc"

/**
 * The label with a title, made if it is not there: whoever has reserved the title is about to make it, or has, and its creation can be sent
 * by both. Where that label is renamed or deleted meanwhile, it is as if that came after. Fails with `NameLost` where another one got
 * the title meanwhile.
 */
const makeLabel = Effect.fnUntraced(function* (parent: Parent, title: string) {
  const fresh = yield* nextId("label")
  const id = yield* reserveTitle({ parent, title }, fresh).pipe(
    Effect.as(fresh),
    Effect.catchTag("NameTaken", ({ owner }) => Effect.succeed(labelIdOf(owner) ?? fresh))
  )
  const settings: LabelSettings = { title, description: null, color: defaultColor, priority: null }
  const guard = yield* guardOf(requireOwnTitle({ parent, title }, id))
  yield* handle(labelAggregate, id, { _tag: "Create", parent, settings, titleTaken: false }, { guard }).pipe(
    Effect.catchTag("LabelExists", () => Effect.void)
  )
  return id
})

const ensureLabel = (parent: Parent, title: string) =>
  Effect.orDie(Effect.retry(makeLabel(parent, title), { while: ({ _tag }) => _tag === "NameLost" }))

/**
 * The ids of the labels with these titles, each once: those that the project may use, and new ones of the project for titles that none
 * has. Titles that no label can have are left out. For callers who may manage labels. Sent again, it adds nothing: a repeated request finds
 * by their titles what its first run made.
 */
export const ensureLabels = Effect.fnUntraced(
  function* (projectId: number, titles: ReadonlyArray<string>) {
    const parent: Parent = { kind: "project", id: projectId }
    const wanted = [...new Set(titles.map((title) => title.trim()))].filter(isTitle)
    const known = yield* LabelQueries.use((labels) => labels.named({ parent, withAncestors: true }, wanted))
    const ids = new Map(known.map(({ id, title }) => [title, id]))
    return yield* Effect.forEach(wanted, (title) => {
      const id = ids.get(title)
      return id === undefined ? ensureLabel(parent, title) : Effect.succeed(id)
    })
  },
  outsideRun,
  spanned("labels.ensure")
)
