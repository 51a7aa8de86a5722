import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { consume } from "#src/git/process/consume.ts"
import { emptyRepository } from "#test/support/git/gitFixtures.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()

it("what a process prints at once is worked on in slices, and whole", async () => {
  const fixture = emptyRepository(`${folder()}/slices.git`)
  const content = randomBytes(8 * 1024 * 1024)
  const id = fixture.git(["hash-object", "-w", "--stdin"], content)
  const chunks: Array<Buffer> = []
  let [sinceTurn, most, turns] = [0, 0, 0]
  const turn = () => {
    most = Math.max(most, sinceTurn)
    sinceTurn = 0
    turns++
    pending = setImmediate(turn)
  }
  let pending = setImmediate(turn)
  await Effect.runPromise(
    consume(fixture.repository, ["cat-file", "blob", id], (chunk) => {
      const until = performance.now() + 3
      while (performance.now() < until);
      sinceTurn++
      chunks.push(chunk)
      return undefined
    })
  )
  clearImmediate(pending)
  expect(Buffer.concat(chunks).equals(content)).toBe(true)
  // Two pieces of 3 ms are more than a slice of 4; where no slices wait, one may come right before it.
  expect([most <= 3, turns > 10]).toEqual([true, true])
})
