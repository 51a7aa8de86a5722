import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { expandsLittle } from "#src/git/http/push/expansion.ts"
import { deltaPack, repeatingPack } from "#test/support/git/deltaPack.ts"
import { packBomb } from "#test/support/git/packBomb.ts"

const mebibyte = 1024 * 1024
const noise = randomBytes(32 * 1024)

describe("a pack", () => {
  it.each<readonly [string, Buffer]>([
    ["without objects", Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1")],
    ["of files that are small together", deltaPack(mebibyte).pack],
    ["of differences that make little", repeatingPack(noise, 50, 0x8000).pack],
    ["that is none yet, as when refs are only removed", Buffer.alloc(0)]
  ])("%s expands little", (_, pack) => {
    expect(expandsLittle(pack)).toBe(true)
  })

  it.each<readonly [string, Buffer]>([
    ["of a large file", deltaPack(5 * mebibyte).pack],
    ["of two files that are large together", deltaPack(2 * mebibyte).pack],
    ["of one difference that makes a large file", repeatingPack(noise, 1, 4 * mebibyte).pack],
    ["of many that make large files together", repeatingPack(noise, 150, 0x8000).pack],
    ["that says it has gigabytes", packBomb()],
    ["that is cut", deltaPack(1000).pack.subarray(0, -30)],
    ["that is broken", deltaPack(1000).pack.fill(0xff, 14)],
    ["of sizes without end", deltaPack(1000).pack.fill(0x80, 12)]
  ])("%s does not", (_, pack) => {
    expect(expandsLittle(pack)).toBe(false)
  })
})
