import { Effect } from "effect"
import type { Parent } from "../parents/Parent.ts"
import { guardOf, handle, load, requireAcceptable } from "../platform/Commands.ts"
import { nextId } from "../platform/Ids.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { LabelInvalid, LabelMissing, labelAggregate, TitleTaken } from "./aggregate.ts"
import type { LabelSettings, SettingsChanges } from "./events.ts"
import { titleIsTaken } from "./faults.ts"
import { LabelQueries } from "./Queries.ts"
import { releaseTitle, reserveTitle } from "./titles.ts"

/** Creates a label. Refuses with `TitleTaken` where one with its title may be used already, also by groups above. */
export const createLabel = Effect.fnUntraced(function* (parent: Parent, settings: LabelSettings) {
  const { title } = settings
  const known = yield* LabelQueries.use((labels) => labels.named({ parent, withAncestors: true }, [title]))
  const command = { _tag: "Create", parent, settings, titleTaken: known.length > 0 } as const
  // No id is taken and nothing reserved for what is refused.
  yield* requireAcceptable(labelAggregate, labelAggregate.initial, command)
  const id = yield* nextId("label")
  const guard = yield* guardOf(Effect.mapError(reserveTitle({ parent, title }, id), () => new TitleTaken()))
  const handled = yield* handle(labelAggregate, id, command, { guard }).pipe(
    Effect.tapError(() => releaseTitle({ parent, title }, id)),
    // Whoever needed a label with this title meanwhile has made it, under the id that the title was reserved for.
    Effect.catchTag("LabelExists", () => Effect.fail(new TitleTaken()))
  )
  return { ...handled, id }
}, spanned("labels.create"))

/** Changes a label, maybe its title. */
const retitle = Effect.fnUntraced(function* (id: number, { title, ...others }: SettingsChanges & { readonly title: string }) {
  const { state } = yield* load(labelAggregate, id)
  if (state._tag !== "Present") return yield* new LabelMissing()
  const { parent, settings } = state.label
  // The title that it has is not reserved again: it would come back although another change gave it away meanwhile.
  if (title === settings.title) return yield* handle(labelAggregate, id, { _tag: "Change", changes: others, titleTaken: false })
  const known = yield* LabelQueries.use((labels) => labels.named({ parent, withAncestors: false }, [title]))
  const command = { _tag: "Change", changes: { ...others, title }, titleTaken: known.length > 0 } as const
  yield* requireAcceptable(labelAggregate, state, command)
  const reserved = Effect.mapError(reserveTitle({ parent, title }, id), () => new LabelInvalid({ faults: [titleIsTaken] }))
  const changed = handle(labelAggregate, id, command, { guard: yield* guardOf(reserved) })
  const handled = yield* Effect.tapError(changed, () => releaseTitle({ parent, title }, id))
  yield* releaseTitle({ parent, title: settings.title }, id)
  return handled
})

/** Changes a label; absent settings stay as they are. */
export const changeLabel = (id: number, { title, ...others }: SettingsChanges) =>
  spanned("labels.change")(
    title === undefined
      ? handle(labelAggregate, id, { _tag: "Change", changes: others, titleTaken: false })
      : retitle(id, { ...others, title })
  )

/** Deletes a label. Its title is free then. */
export const deleteLabel = Effect.fnUntraced(function* (id: number) {
  const { state } = yield* load(labelAggregate, id)
  const handled = yield* handle(labelAggregate, id, { _tag: "Delete" })
  if (state._tag === "Present") {
    const { parent, settings } = state.label
    yield* releaseTitle({ parent, title: settings.title }, id)
  }
  return handled
}, spanned("labels.delete"))
