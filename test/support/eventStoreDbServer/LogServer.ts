import type { DropProxy } from "./dropProxy.ts"
import type { EventStoreDbServer } from "./EventStoreDbServer.ts"

/** A server of EventStoreDB, real or not, as the tests of the adapter use it. */
export interface LogServer {
  /** Leads through the relay, where there is one. */
  readonly url: string
  /** Leads to the server, also while the relay keeps something back. */
  readonly directUrl: string
  /** Absent where the address leads to a cluster, whose nodes tell where they are. */
  readonly relay?: Relay
  /** Absent where nobody says how the server is ended and started. */
  readonly control?: ServerControl
}

export type Relay = Pick<DropProxy, "drop" | "hold" | "release">

/** Ends servers and starts them again. */
export interface ServerControl {
  /** Whether others take over while one is gone. */
  readonly hasFollowers: boolean
  /** Ends the server as the loss of its power does; of a cluster, the node that leads. Returns how it is started again. */
  readonly kill: () => Promise<() => Promise<void>>
}

/** The server of the tests' own process. */
export const ownServer = (server: EventStoreDbServer): LogServer => ({
  url: server.url,
  get directUrl() {
    return server.directUrl
  },
  relay: server.relay,
  control: {
    hasFollowers: false,
    kill: async () => {
      server.kill()
      return server.start
    }
  }
})
