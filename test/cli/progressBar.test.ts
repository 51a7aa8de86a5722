import { assert, describe, it } from "vitest"
import { bar, clock, secondsLeft } from "#src/cli/progressBar.ts"

describe("bar", () => {
  it("shows percent, rate and time left", () => {
    assert.strictEqual(
      bar({ fraction: 1 / 3, rate: 81_234.5, secondsLeft: 11.2 }),
      "[##########--------------------]  33%  81,235 events/s  0:12 left"
    )
  })

  it("shows no time while none is known", () => {
    assert.strictEqual(bar({ fraction: 0, rate: 0, secondsLeft: undefined }), `[${"-".repeat(30)}]   0%  0 events/s`)
  })
})

describe("secondsLeft", () => {
  it("follows the pace since the first look, as after a resumed rebuild", () => {
    assert.closeTo(secondsLeft({ at: 0, fraction: 0.5 }, { at: 10_000, fraction: 0.75 }) ?? 0, 10, 1e-9)
  })

  it("is unknown too early, and where nothing moves", () => {
    assert.deepStrictEqual(
      [
        secondsLeft({ at: 0, fraction: 0 }, { at: 100, fraction: 0.5 }),
        secondsLeft({ at: 0, fraction: 0.5 }, { at: 10_000, fraction: 0.5 })
      ],
      [undefined, undefined]
    )
  })
})

describe("clock", () => {
  it("writes minutes, and hours where there are any", () => {
    assert.deepStrictEqual([clock(0), clock(59.1), clock(125), clock(3_725)], ["0:00", "1:00", "2:05", "1:02:05"])
  })
})
