import { expect } from "vitest"
import { expectExactly } from "./exactly.ts"
import type { Sent, TestService } from "./service.ts"

/** One row of a table of the reference: a request, sent by an administrator unless it says otherwise, and its answer. */
export interface Row {
  readonly given: string
  /** A function, because ids and tokens are known only when the service runs. */
  readonly request: () => readonly [method: string, path: string, sent?: Sent]
  readonly status: number
  /** The whole body, keys in order. */
  readonly body: unknown
}

export const rowChecker =
  (service: TestService) =>
  async ({ body, request, status }: Row): Promise<void> => {
    const received = await service.request(...request())
    expect(received.status).toBe(status)
    expectExactly(received.body, body)
  }

export const notAdministrator = { message: "403 Forbidden" }
export const unauthorized = { message: "401 Unauthorized" }
export const unknownUser = { message: "404 User Not Found" }
export const notFound = { message: "404 Not found" }
export const noRoute = { error: "404 Not Found" }
export const emailTaken = { message: "Email has already been taken" }
export const usernameTaken = { message: "Username has already been taken" }
