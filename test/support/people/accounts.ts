import { Effect } from "effect"
import { Projections } from "#src/platform/Projections.ts"
import { issueToken } from "#src/tokens/issue/issue.ts"
import type { TestService } from "../service.ts"

/** Creates a user through the interface; answers the id. */
export const createUser = async (
  service: TestService,
  username: string,
  attributes: Readonly<Record<string, unknown>> = {}
): Promise<number> => {
  const { body, status } = await service.request("POST", "/users", {
    json: { username, name: username, email: `${username}@example.com`, force_random_password: true, ...attributes }
  })
  if (status !== 201 || typeof body !== "object" || body === null || !("id" in body)) throw new Error(JSON.stringify(body))
  return Number(body.id)
}

export interface TokenOptions {
  /** Default: `api`. */
  readonly scopes?: ReadonlyArray<string>
  /** `YYYY-MM-DD`, in the past too; default: never. */
  readonly expiresAt?: string | null
}

/** Issues a token beside the interface, which refuses dates in the past. It can be used at once. */
export const issueTokenFor = (
  service: TestService,
  userId: number,
  { expiresAt = null, scopes = ["api"] }: TokenOptions = {}
): Promise<{ readonly id: number; readonly text: string }> =>
  service.run(
    Effect.gen(function* () {
      const { id, position, text } = yield* issueToken({ userId, name: "of a test", scopes, expiresAt, rotatedFrom: null })
      yield* Projections.use((projections) => projections.awaitPosition(position))
      return { id, text }
    })
  )
