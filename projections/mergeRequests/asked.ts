import type { Asked } from "#src/platform/reactions/workThrough.ts"
import { type Fragment, sql } from "#src/platform/sql/fragment.ts"

/** So many of one owner are done at a time, for whoever has thousands is not served before others. */
const maxTurns = 10

/** Whether one that is due, `o`, is asked for: by its turn among those of its owner. */
export const isAsked = ({ running }: Asked): Fragment => sql`o.turn <= ${maxTurns} and not o.id = any(${running}::bigint[])`
