import { expect, it } from "vitest"
import { routes } from "#src/composition.ts"
import { forgetAnswer } from "#test/support/forgetAnswer.ts"
import { requestEvents } from "#test/support/requests/requestEvents.ts"
import { useService } from "#test/support/service.ts"
import { accountWrites } from "./writes/accountWrites.ts"
import { namespaceWrites } from "./writes/namespaceWrites.ts"
import { pipelineWrites } from "./writes/pipelineWrites.ts"
import { repositoryWrites } from "./writes/repositoryWrites.ts"
import { scheduleWrites } from "./writes/scheduleWrites.ts"

const service = useService()

/** Every endpoint that writes. */
const rows = {
  ...accountWrites(service),
  ...namespaceWrites(service),
  ...repositoryWrites(service),
  ...pipelineWrites(service),
  ...scheduleWrites(service)
}

const writes = routes.map(({ endpoint }) => endpoint).filter(({ method }) => method !== "GET")
/** Presenting a rotated token writes: it revokes what took its place. */
const writesOnReuse = "personalAccessTokens.rotateSelf"

it("every write endpoint has a row", () => {
  expect(Object.keys(rows).toSorted()).toEqual(writes.map(({ name }) => name).toSorted())
})

it.each(writes.map(({ method, name }) => [name, method] as const))("%s", async (name, method) => {
  const { path, sent = {}, repeated, works } = (await rows[name]?.()) ?? { path: "/no-row" }
  const send = () => service.request(method, path, { ...sent, headers: { "idempotency-key": name } })
  const first = await send()
  expect([first.status, first.body]).toEqual([expect.toSatisfy((status: number) => status < 300), first.body])
  await forgetAnswer(service, name)
  const before = await requestEvents(service)
  const second = await send()
  expect([second.status, second.body]).toEqual(repeated === undefined ? [first.status, first.body] : repeated(first))
  if (name !== writesOnReuse) expect(await requestEvents(service)).toBe(before)
  expect(await works?.(first)).toBe(works === undefined ? undefined : true)
})
