import { GossipService, type IGossipServer } from "@eventstore/db-client/generated/gossip_grpc_pb.js"
import gossip from "@eventstore/db-client/generated/gossip_pb.js"
import shared from "@eventstore/db-client/generated/shared_pb.js"
import { StreamsService } from "@eventstore/db-client/generated/streams_grpc_pb.js"
import { Server, ServerCredentials } from "@grpc/grpc-js"
import { type Behaviour, defaultBehaviour, maxMessageBytes } from "./Behaviour.ts"
import { type DropProxy, startDropProxy } from "./dropProxy.ts"
import { makeServerLog, type ServerLog } from "./serverLog.ts"
import { streamsService } from "./streamsService.ts"

/** A server in this process that speaks EventStoreDB's protocol, as far as the adapter uses it. */
export interface EventStoreDbServer {
  /** Leads through the relay. */
  readonly url: string
  /** Leads past the relay, until the server is started again. */
  readonly directUrl: string
  /** The same server as a cluster of one that is asked who leads. */
  readonly discoverUrl: string
  readonly relay: DropProxy
  readonly log: ServerLog
  readonly behaviour: Behaviour
  readonly dropConnections: () => void
  /** Ends as a server does that is killed; its log is kept. */
  readonly kill: () => void
  /** Starts again after `kill`, at the same address. */
  readonly start: () => Promise<void>
  readonly stop: () => void
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error)
    )
  )

const leaderAt = (port: number) =>
  new gossip.ClusterInfo().setMembersList([
    new gossip.MemberInfo()
      .setInstanceId(new shared.UUID().setString("00000000-0000-4000-8000-000000000001"))
      .setState(gossip.MemberInfo.VNodeState.LEADER)
      .setIsAlive(true)
      .setHttpEndPoint(new gossip.EndPoint().setAddress("127.0.0.1").setPort(port))
  ])

export const startEventStoreDbServer = async (): Promise<EventStoreDbServer> => {
  const log = makeServerLog()
  const behaviour = defaultBehaviour()
  let server = new Server()
  let port = 0
  const relay = await startDropProxy({ host: "127.0.0.1", port: 0 })
  const gossipService: IGossipServer = {
    read: (_call, answer) => {
      behaviour.questions += 1
      answer(null, behaviour.knowsLeader ? leaderAt(relay.port) : new gossip.ClusterInfo())
    }
  }
  const start = async () => {
    server = new Server({ "grpc.max_receive_message_length": maxMessageBytes })
    server.addService(StreamsService, streamsService(log, behaviour))
    server.addService(GossipService, gossipService)
    port = await listen(server)
    relay.redirect({ host: "127.0.0.1", port })
  }
  await start()
  return {
    url: `esdb://127.0.0.1:${relay.port}?tls=false`,
    get directUrl() {
      return `esdb://127.0.0.1:${port}?tls=false`
    },
    discoverUrl: `esdb+discover://127.0.0.1:${relay.port}?tls=false`,
    relay,
    log,
    behaviour,
    dropConnections: relay.drop,
    kill: () => server.forceShutdown(),
    start,
    stop: () => {
      relay.close()
      server.forceShutdown()
    }
  }
}
