import { once } from "node:events"
import type { Server } from "node:net"

/** Lets a server listen at a free port of this machine; answers the port. */
export const listening = async (server: Server): Promise<number> => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the server has no port")
  return address.port
}
