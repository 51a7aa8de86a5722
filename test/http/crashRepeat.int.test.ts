import { expect, it } from "vitest"
import { routes } from "#src/composition.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { forgetAnswer } from "#test/support/forgetAnswer.ts"
import { type Kill, makeKills } from "#test/support/requests/kills.ts"
import { likeness } from "#test/support/requests/likeness.ts"
import { requestEvents } from "#test/support/requests/requestEvents.ts"
import { type Received, useService } from "#test/support/service.ts"
import { accountWrites } from "./writes/accountWrites.ts"
import { deploymentWrites } from "./writes/deploymentWrites.ts"
import { exportWrites } from "./writes/exportWrites.ts"
import { issueWrites } from "./writes/issueWrites.ts"
import { labelWrites } from "./writes/labelWrites.ts"
import { mergeRequestWrites } from "./writes/mergeRequestWrites.ts"
import { milestoneWrites } from "./writes/milestoneWrites.ts"
import { namespaceWrites } from "./writes/namespaceWrites.ts"
import { noteWrites } from "./writes/noteWrites.ts"
import { pagesWrites } from "./writes/pagesWrites.ts"
import { pipelineWrites } from "./writes/pipelineWrites.ts"
import { releaseWrites } from "./writes/releaseWrites.ts"
import { repositoryWrites } from "./writes/repositoryWrites.ts"
import { scheduleWrites } from "./writes/scheduleWrites.ts"
import { uploadWrites } from "./writes/uploadWrites.ts"
import type { Write } from "./writes/Write.ts"

const kills = makeKills()
const service = useService({}, kills.interceptors)

/** Every endpoint that writes, with names of its own for each run. */
const writesOf = (run: number) => ({
  ...accountWrites(service, run),
  ...namespaceWrites(service, run),
  ...repositoryWrites(service, run),
  ...pipelineWrites(service, run),
  ...scheduleWrites(service, run),
  ...labelWrites(service, run),
  ...milestoneWrites(service, run),
  ...issueWrites(service, run),
  ...mergeRequestWrites(service, run),
  ...noteWrites(service, run),
  ...deploymentWrites(service, run),
  ...pagesWrites(service, run),
  ...exportWrites(service, run),
  ...releaseWrites(service, run),
  ...uploadWrites(service, run)
})

let runs = 0
/** Prepares a write. */
const prepare = async (name: string): Promise<Write> => (await writesOf(runs++)[name]?.()) ?? { path: "/no-row" }

const writes = routes.map(({ endpoint }) => endpoint).filter(({ method }) => method !== "GET")
/** Presenting a rotated token writes: it revokes what took its place. */
const writesOnReuse = "personalAccessTokens.rotateSelf"

it("every write endpoint has a row", () => {
  expect(Object.keys(writesOf(0)).toSorted()).toEqual(writes.map(({ name }) => name).toSorted())
})

const head = () => service.run(EventStore.use((store) => store.head))
/**
 * What was written since, but for what the service notes by itself, such as the use of a token; moves of refs that a dead process left are
 * noted so. Names that were not given back are no difference: they are free after a while.
 */
const writtenSince = async (position: number) => {
  const events = await service.run(EventStore.use((store) => store.readAll(position, 1000)))
  return events
    .filter(({ metadata, type }) => type === "RefsUpdated" || !metadata.correlationId.startsWith("system:"))
    .filter(({ type }) => type !== "NameReleased")
    .map(({ data, stream, type }) => JSON.stringify([likeness(stream), type, likeness(data)]))
    .toSorted()
}
const answerLike = ({ body, status }: Pick<Received, "body" | "status">) => [status, likeness(body)]

/** Where a process may die: around each append, after what a repeat needs is stored, and before the answer is. */
const killsAt = (steps: ReturnType<typeof kills.end>): ReadonlyArray<Kill> =>
  steps.flatMap((kind, step) => {
    const sides = { append: [true, false], ids: [false], file: [true, false], answer: [true] }[kind]
    return sides.map((isBefore) => ({ step, isBefore }))
  })

it.each(writes.map(({ method, name }) => [name, method] as const))("%s", async (name, method) => {
  const send = (key: string, { path, sent = {} }: Write) =>
    service.request(method, path, { ...sent, headers: { "idempotency-key": key } })

  const write = await prepare(name)
  const start = await head()
  kills.begin(name)
  const first = await send(name, write)
  const steps = kills.end(name)
  expect([first.status, first.body]).toEqual([expect.toSatisfy((status: number) => status < 300), first.body])
  const written = await writtenSince(start)
  await forgetAnswer(service, name)
  const before = await requestEvents(service)
  const second = await send(name, write)
  const repeated = write.repeated?.(first) ?? [first.status, first.body]
  expect([second.status, second.body]).toEqual(repeated)
  if (name !== writesOnReuse) expect(await requestEvents(service)).toBe(before)
  expect(await write.works?.(first)).toBe(write.works === undefined ? undefined : true)

  const interrupted = write.interrupted?.(first)
  const answers = [first, second, ...(interrupted === undefined ? [] : [interrupted])]
  for (const kill of killsAt(steps)) {
    const [key, killed] = [`${name} ${JSON.stringify(kill)} of ${steps}`, await prepare(name)]
    const begin = await head()
    kills.begin(key, kill)
    await send(key, killed)
    kills.end(key)
    await forgetAnswer(service, key)
    const repeat = await send(key, killed)
    expect([key, answerLike(repeat)]).toBeOneOf(answers.map((answer) => [key, answerLike(answer)]))
    if (name !== writesOnReuse) await expect.poll(async () => [key, await writtenSince(begin)]).toEqual([key, written])
    if (repeat.status < 300) expect([key, await killed.works?.(repeat)]).toEqual([key, killed.works && true])
  }
})
