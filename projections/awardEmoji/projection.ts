import { readFileSync } from "node:fs"
import { AwardEvent, awardCodec } from "#src/awardEmoji/events.ts"
import { type Awardable, awardableOf } from "#src/awardEmoji/ids.ts"
import { type Change, idTaken, on, put, type ReadModel, remove } from "../ReadModel.ts"

const [awards, counts] = ["awards", "counts"]

const changes = ({ id: awardable_id, type }: Awardable, event: AwardEvent, at: number): ReadonlyArray<Change> => {
  const of = { type, awardable_id }
  const count = put(counts, { ...of, name: event.name, total: event.total })
  return AwardEvent.match(event, {
    EmojiAwarded: ({ by, id, name }) => [
      idTaken("award_emoji", id),
      put(awards, { ...of, id, user_id: by, name, created_at: at }),
      count
    ],
    EmojiTakenBack: ({ id }) => [remove(awards, { id }), count]
  })
}

/** What was awarded to issues, merge requests and notes. */
export const awardEmojiReadModel: ReadModel = {
  name: "award_emoji",
  version: 2,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [awards]: ["id"], [counts]: ["type", "awardable_id", "name"] },
  projections: [
    on(awardCodec, (event, { at, stream }) => {
      const awardable = awardableOf(stream)
      return awardable === undefined ? [] : changes(awardable, event, at)
    })
  ]
}
