import { Readable } from "node:stream"
import type { Attack } from "../Attack.ts"
import { call, callers } from "../callers.ts"
import { silentAfter } from "./slowClients.ts"

const mebibyte = 1024 * 1024
/** What endpoints with content take at most. */
const bodyBytes = 16 * mebibyte
/** What is read of somebody who may be named in it. */
const credentialBytes = 64 * 1024

/** The beginning and then the text again and again. All bodies share one piece of memory. */
const repeated = (first: string, text: string) => {
  const piece = Buffer.alloc(mebibyte, text)
  const start = Buffer.from(first)
  return () =>
    Readable.from(
      (function* () {
        yield start
        let left = bodyBytes - start.length
        for (; left >= piece.length; left -= piece.length) yield piece
        yield piece.subarray(0, left)
      })()
    )
}

const json = repeated('{"actions":[', '{"a":1},')
const form = repeated("commit_message=", "+")
const stalled = () => silentAfter(Buffer.from('{"actions":['))

const kinds = [
  ...Array(100).fill({ type: "application/json", bytes: bodyBytes, body: json }),
  ...Array(20).fill({ type: "application/x-www-form-urlencoded", bytes: bodyBytes, body: form }),
  ...Array(60).fill({ type: "application/json", bytes: bodyBytes, body: stalled }),
  ...Array(600).fill({ type: "application/json", bytes: credentialBytes, body: stalled })
]

const largeBodies: Attack = {
  title: "100 JSON bodies, 20 forms, 60 stalled bodies of 16 MiB and 600 of 64 KiB without a token",
  prepare: async ({ renames, url }) => {
    const target = `${url}/projects/${renames.id}/repository/commits`
    return () =>
      callers(kinds.length, (caller) => {
        const { body, bytes, type } = kinds[caller]
        const headers = { "content-type": type, "content-length": String(bytes) }
        return call(caller, { method: "POST", url: target, headers, body: body() })
      })
  }
}

export const bodies = { largeBodies }
