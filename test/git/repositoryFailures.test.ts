import { expect, it } from "vitest"
import { badEnd } from "#src/git/Repository.ts"
import { reasonOf } from "#src/platform/logging/unavailable.ts"

it.each([
  ["error: unable to write file: No space left on device", "there is no space left for the answer"],
  ["fatal: unable to write: Disk quota exceeded", "there is no space left for the answer"],
  ["fatal: cannot create object: Read-only file system", "the disk can only be read"],
  ["fatal: bad object main", undefined]
])("git that says %j is answered with why", (stderr, reason) => {
  expect(reasonOf(badEnd(["commit"], { status: 128, stderr, exceeded: undefined }))).toBe(reason)
})

it("what the system refuses is answered with why", () => {
  const reasons = ["EROFS", "EDQUOT", "ENOSPC", "EIO"].map((code) => reasonOf(Object.assign(new Error("no"), { code })))
  const full = "there is no space left on the disk"
  expect(reasons).toEqual(["the disk can only be read", full, full, undefined])
})
