import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { promisify } from "node:util"
import { GossipClient } from "@eventstore/db-client/generated/gossip_grpc_pb.js"
import gossip from "@eventstore/db-client/generated/gossip_pb.js"
import shared from "@eventstore/db-client/generated/shared_pb.js"
import { credentials } from "@grpc/grpc-js"
import { startDropProxy } from "./dropProxy.ts"
import type { LogServer, ServerControl } from "./LogServer.ts"

interface RealServer extends LogServer {
  readonly stop: () => void
}

const channelCredentials = async (address: URL) => {
  if (address.searchParams.get("tls") === "false") return credentials.createInsecure()
  const file = address.searchParams.get("tlsCAFile")
  return credentials.createSsl(file === null ? null : await readFile(file))
}

/** The node that leads, as `node` has heard. */
const leaderBy = async (node: string, address: URL): Promise<string> => {
  const client = new GossipClient(node, await channelCredentials(address))
  const { promise, reject, resolve } = Promise.withResolvers<gossip.ClusterInfo>()
  client.read(new shared.Empty(), (error, info) => (error === null ? resolve(info) : reject(error)))
  const members = (await promise.finally(() => client.close())).getMembersList()
  const leader = members.find((member) => member.getIsAlive() && member.getState() === gossip.MemberInfo.VNodeState.LEADER)
  const found = leader?.getHttpEndPoint()
  if (found === undefined) throw new Error(`${node} knows no leader`)
  return `${found.getAddress()}:${found.getPort()}`
}

/** `program kill host:port` ends the server there at once and returns when it has ended; `program start host:port` when it listens again. */
const controlBy = (program: string, url: string): ServerControl => {
  const nodes = /@?([^@/]+?)\/?(?:\?.*)?$/.exec(url.replace(/^[^:]+:\/\//, ""))?.[1]?.split(",") ?? []
  const [first = ""] = nodes
  const address = new URL(url.replace(nodes.join(","), first))
  // The server takes every variable that begins with EVENTSTORE_ for a setting of its own, and does not start with others.
  const env = Object.fromEntries(Object.entries(process.env).filter(([variable]) => !variable.startsWith("EVENTSTORE_")))
  const run = (...args: ReadonlyArray<string>) => promisify(execFile)(program, [...args], { env })
  return {
    hasFollowers: nodes.length > 1,
    kill: async () => {
      const node = nodes.length > 1 ? await leaderBy(first, address) : first
      await run("kill", node)
      return async () => {
        await run("start", node)
      }
    }
  }
}

/**
 * The server that EVENTSTORE_URL names, through a relay whose connections can be cut where that is possible. EVENTSTORE_CONTROL may
 * name a program that ends it and starts it again.
 */
export const reachRealServer = async ({
  EVENTSTORE_CONTROL: program,
  EVENTSTORE_URL: url
}: NodeJS.ProcessEnv): Promise<RealServer | undefined> => {
  if (url === undefined || url === "") return undefined
  const control = program === undefined || program === "" ? {} : { control: controlBy(program, url) }
  const [, scheme = "", host = ""] = /^([^:]+):\/\/(?:[^@/]*@)?([^/?]+)/.exec(url) ?? []
  const [name = "", port = "2113"] = host.split(":")
  const isHere = name === "127.0.0.1" || name === "localhost"
  // A certificate is made out for the name. Nodes of a cluster tell their own addresses.
  const mayRelay = isHere || new URL(url).searchParams.get("tls") === "false"
  if (scheme.includes("discover") || host.includes(",") || !mayRelay) return { url, directUrl: url, ...control, stop: () => {} }
  const relay = await startDropProxy({ host: name, port: Number(port) })
  const relayed = url.replace(host, `${isHere ? name : "127.0.0.1"}:${relay.port}`)
  return { url: relayed, directUrl: url, relay, ...control, stop: relay.close }
}
