import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { eventStoreContract } from "#test/contracts/eventStoreContract.ts"

eventStoreContract("event store in memory", layerMemory)
