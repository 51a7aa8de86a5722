import { startDropProxy } from "./dropProxy.ts"

export interface RealServer {
  readonly url: string
  /** Absent where the connection is encrypted or leads to a cluster, and so cannot be relayed. */
  readonly dropConnections?: () => void
  readonly stop: () => void
}

/** The server that the environment names, through a relay whose connections can be cut where that is possible. */
export const reachRealServer = async (url: string | undefined): Promise<RealServer | undefined> => {
  if (url === undefined || url === "") return undefined
  const address = new URL(url)
  if (address.searchParams.get("tls") !== "false" || address.protocol.includes("discover") || address.host.includes(",")) {
    return { url, stop: () => {} }
  }
  const proxy = await startDropProxy({ host: address.hostname, port: Number(address.port || "2113") })
  return { url: url.replace(address.host, `127.0.0.1:${proxy.port}`), dropConnections: proxy.drop, stop: proxy.close }
}
