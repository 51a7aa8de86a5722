import { afterAll, describe } from "@effect/vitest"
import { Effect } from "effect"
import { maxAppendBytes } from "#src/platform/eventStore/eventStoreDb/append.ts"
import { startEventStoreDbServer } from "#test/support/eventStoreDbServer/EventStoreDbServer.ts"
import { type LogServer, ownServer } from "#test/support/eventStoreDbServer/LogServer.ts"
import { reachRealServer } from "#test/support/eventStoreDbServer/realServer.ts"
import { eventStoreContract } from "../eventStoreContract.ts"
import { accessContract, hasUsers } from "./access.ts"
import { checkpointContract } from "./checkpoints.ts"
import { hiddenEventsContract } from "./hiddenEvents.ts"
import { lostAnswersContract } from "./lostAnswers.ts"
import { restartContract } from "./restarts.ts"
import { sizeContract } from "./sizes.ts"
import { storeAt } from "./stores.ts"

const eventStoreDbContract = (name: string, server: LogServer, otherUrl: string): void => {
  const { control, relay } = server
  eventStoreContract(name, storeAt(server.url), {
    looksAtFencesBefore: true,
    otherProcess: storeAt(otherUrl),
    ...(relay && { dropConnections: Effect.sync(relay.drop) }),
    maxAppendBytes
  })
  describe(`${name}: hidden events`, () => hiddenEventsContract(server))
  describe(`${name}: sizes`, () => sizeContract(server))
  if (relay !== undefined) {
    describe(`${name}: checkpoints`, () => checkpointContract(server, relay))
    describe(`${name}: lost answers`, () => lostAnswersContract(server, relay))
  }
  if (control !== undefined) describe(`${name}: restarts`, () => restartContract(server, control))
}

const own = await startEventStoreDbServer()
afterAll(own.stop)
eventStoreDbContract("event store in EventStoreDB", ownServer(own), own.discoverUrl)

// The same on a real server, where one is named.
const real = await reachRealServer(process.env)
if (real !== undefined) {
  afterAll(real.stop)
  eventStoreDbContract("event store in the EventStoreDB of EVENTSTORE_URL", real, real.directUrl)
  if (hasUsers(real.directUrl)) describe("access to the EventStoreDB of EVENTSTORE_URL", () => accessContract(real.directUrl))
}
