import type { Received } from "#test/support/service.ts"

/** What an answer says: its status and its body. */
export const outcome = ({ body, status }: Received) => [status, body]
