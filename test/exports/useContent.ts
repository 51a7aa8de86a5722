import { afterAll, beforeAll, expect, vi } from "vitest"
import { field } from "#test/support/exactly.ts"
import { useExports } from "./useExports.ts"

const start = Date.UTC(2030, 0, 1)

/** The time so many minutes after the first of January 2030. */
export const at = (minute: number): string => new Date(start + minute * 60_000).toISOString()

/**
 * A running service whose clock stands still, and moves on when a test says so. So what is exported of it is known to the last character, but for
 * the ids of commits.
 */
export const useContent = () => {
  const exports = useExports()
  const { request } = exports.service
  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: start }))
  afterAll(() => void vi.useRealTimers())
  const done = async (method: string, path: string, json: object = {}, token?: string): Promise<unknown> => {
    const { body, status } = await request(method, path, { json, token })
    expect([method, path, status, status < 300 ? null : body]).toEqual([method, path, expect.any(Number), null])
    return body
  }
  return {
    ...exports,
    /** From now on it is so many minutes past. */
    minute: (count: number): void => void vi.setSystemTime(start + count * 60_000),
    /** Makes or changes something, which has to succeed: the answer. */
    done,
    post: (path: string, json?: object, token?: string) => done("POST", path, json, token),
    /** The same: the id of what is made. */
    make: async (path: string, json?: object, token?: string): Promise<number> =>
      Number(field(await done("POST", path, json, token), "id")),
    read: async (path: string, query: Readonly<Record<string, string>> = {}) => (await request("GET", path, { query })).body
  }
}
