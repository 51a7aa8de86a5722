import { GossipService, type IGossipServer } from "@eventstore/db-client/generated/gossip_grpc_pb.js"
import gossip from "@eventstore/db-client/generated/gossip_pb.js"
import shared from "@eventstore/db-client/generated/shared_pb.js"
import { StreamsService } from "@eventstore/db-client/generated/streams_grpc_pb.js"
import { Server, ServerCredentials } from "@grpc/grpc-js"
import { startDropProxy } from "./dropProxy.ts"
import { makeServerLog, type ServerLog } from "./serverLog.ts"
import { type Behaviour, streamsService } from "./streamsService.ts"

/** A server in this process that speaks EventStoreDB's protocol, as far as the adapter uses it. */
export interface EventStoreDbServer {
  readonly url: string
  /** The same server as a cluster of one that is asked who leads. */
  readonly discoverUrl: string
  readonly log: ServerLog
  readonly behaviour: Behaviour
  readonly dropConnections: () => void
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
  const behaviour: Behaviour = {
    maxAppendBytes: 16 * 1024 * 1024,
    saysCaughtUp: true,
    beforeNextAppend: undefined,
    insteadOfNextAnswer: undefined
  }
  const server = new Server({ "grpc.max_receive_message_length": 17 * 1024 * 1024 })
  server.addService(StreamsService, streamsService(log, behaviour))
  const port = await listen(server)
  const proxy = await startDropProxy({ host: "127.0.0.1", port })
  const gossipService: IGossipServer = { read: (_call, answer) => answer(null, leaderAt(proxy.port)) }
  server.addService(GossipService, gossipService)
  return {
    url: `esdb://127.0.0.1:${proxy.port}?tls=false`,
    discoverUrl: `esdb+discover://127.0.0.1:${proxy.port}?tls=false`,
    log,
    behaviour,
    dropConnections: proxy.drop,
    stop: () => {
      proxy.close()
      server.forceShutdown()
    }
  }
}
