import { Effect } from "effect"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import type { TestService } from "./service.ts"

/** Leaves of a request what a process leaves that died after its last append: events and a claim without an answer. */
export const forgetAnswer = (service: TestService, key: string): Promise<void> =>
  service.run(
    Sql.use(({ client }) =>
      query(
        () => client`update chronoforge.idempotent_answers set status = null, headers = null, body = null, secret_of = null,
          started_at = now() - interval '10 seconds' where key = ${key}`
      )
    ).pipe(Effect.asVoid)
  )
