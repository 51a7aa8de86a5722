import type { IncomingMessage } from "node:http"
import { Context, Layer } from "effect"
import { type AddressRanges, type ClientAddress, clientAddress } from "../../kernel/clientAddress.ts"

/** Tells from where requests come. */
export class ClientAddresses extends Context.Service<
  ClientAddresses,
  { readonly of: (request: Pick<IncomingMessage, "headers" | "socket">) => ClientAddress }
>()("chronoforge/http/ClientAddresses") {
  /** Believes `X-Forwarded-For` of connections from these addresses; undefined for none. */
  static readonly layer = (trustedProxies: AddressRanges | undefined): Layer.Layer<ClientAddresses> =>
    Layer.succeed(ClientAddresses)({
      of: ({ headers, socket }) => {
        const { "x-forwarded-for": forwarded } = headers
        const header = Array.isArray(forwarded) ? forwarded.join(",") : forwarded
        return clientAddress(socket.remoteAddress, header, trustedProxies)
      }
    })
}
