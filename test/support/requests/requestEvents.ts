import { query, Sql } from "#src/platform/sql/Sql.ts"
import type { TestService } from "../service.ts"

/** How many events requests have written. What the service notes by itself, such as the use of a token, does not count. */
export const requestEvents = (service: TestService): Promise<number> =>
  service.run(
    Sql.use(({ client }) =>
      query(async () => {
        const [row] = await client<Array<{ events: number }>>`
          select count(*) as events from chronoforge.events where metadata::jsonb ->> 'correlationId' not like 'system:%'`
        return row?.events ?? 0
      })
    )
  )
