import { isIP } from "node:net"
import { Effect } from "effect"
import { ImportRefused } from "../../projects/ProjectImports.ts"
import { isPublicAddress } from "./address.ts"
import { ImportLimits } from "./ImportLimits.ts"
import type { RemoteUrl } from "./url.ts"

/**
 * The value of git's `http.curloptResolve` that keeps a host to the addresses that were looked at here, so that a second look-up
 * cannot lead elsewhere; undefined for a host that is an address itself. All of its addresses must be public, unless the settings
 * allow others.
 */
export const pinnedAddresses = Effect.fn("imports.pinnedAddresses")(function* ({ host, port }: Pick<RemoteUrl, "host" | "port">) {
  const { allowPrivate, resolve } = yield* ImportLimits
  const isAddress = isIP(host) !== 0
  const addresses = isAddress ? [host] : yield* resolve(host)
  if (addresses.length === 0) return yield* new ImportRefused({ message: "The host of the import URL has no address" })
  if (!allowPrivate && !addresses.every(isPublicAddress)) {
    return yield* new ImportRefused({ message: "The import URL leads to an address that is not public, which is not allowed" })
  }
  return isAddress ? undefined : `${host}:${port}:${addresses.map((each) => (each.includes(":") ? `[${each}]` : each)).join(",")}`
})
