import type { DueQuery } from "#src/platform/reactions/workThrough.ts"
import { type Fragment, sql } from "#src/platform/sql/fragment.ts"

/** So many of one owner are done at a time, for whoever has thousands is not served before others. */
const maxTurns = 10

/** Whether one that is due, `o`, is not yet being done, and among the first of its owner. */
export const isInTurn = ({ running }: DueQuery): Fragment => sql`o.turn <= ${maxTurns} and not o.id = any(${running}::bigint[])`
