import { BlockList, isIPv4, isIPv6 } from "node:net"
import { Result } from "effect"

/** Who sends a request, as far as the network tells. */
export interface ClientAddress {
  /** The address, as the log tells it; `unknown` when the connection is gone already. */
  readonly address: string
  /** What counts as one client: the address or, of IPv6, the network such as `2001:db8:0:1::/64` of which a client may have every address. */
  readonly network: string
}

/** Some addresses, asked for in the form of `canonical`. */
export interface AddressRanges {
  readonly contains: (address: string) => boolean
}

/** An address as it is always written: without zone, and IPv4 within IPv6 as IPv4. Undefined for what is none. */
const canonical = (text: string): string | undefined => {
  if (isIPv4(text)) return text
  const url = `http://[${text.replace(/%.*$/s, "")}]/`
  if (!isIPv6(text) || !URL.canParse(url)) return undefined
  const address = new URL(url).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? []
  if (high === undefined || low === undefined) return address
  const bytes = [high, low].map((group) => Number.parseInt(group, 16)).flatMap((group) => [group >> 8, group & 0xff])
  return bytes.join(".")
}

const groupsOf = (part: string): ReadonlyArray<string> => part.split(":").filter((group) => group !== "")

/** The network of a canonical address. */
const networkOf = (address: string): string => {
  if (isIPv4(address)) return address
  const [head = "", tail = ""] = address.split("::")
  const [before, after] = [groupsOf(head), groupsOf(tail)]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0")
  return `${[...before, ...zeros, ...after].slice(0, 4).join(":")}::/64`
}

const words: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["loopback", ["127.0.0.0/8", "::1"]],
  ["private", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]]
])

/** Adds an address or range; false for what is neither. */
const addRange = (list: BlockList, text: string): boolean => {
  const [, address = "", bits] = /^([0-9A-Fa-f.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const isFour = isIPv4(address)
  // Addresses are compared as IPv4 where they are, so that a range of IPv4 within IPv6 would hold none.
  if (!isFour && (!isIPv6(address) || /^::ffff:/i.test(address))) return false
  const [family, length] = isFour ? (["ipv4", 32] as const) : (["ipv6", 128] as const)
  const prefix = bits === undefined ? length : Number(bits)
  if (prefix > length) return false
  list.addSubnet(address, prefix, family)
  return true
}

/**
 * Reads addresses and ranges such as `10.0.0.0/8` or `2001:db8::/32`, and the words `loopback` and `private`, separated by commas. Fails with the
 * number of the first entry that is none of these, from 1.
 */
export const parseAddressRanges = (text: string): Result.Result<AddressRanges, number> => {
  const list = new BlockList()
  const entries = text.split(",").map((entry) => entry.trim())
  const fault = entries.findIndex((entry) => !(words.get(entry) ?? [entry]).every((range) => addRange(list, range)))
  if (fault >= 0) return Result.fail(fault + 1)
  return Result.succeed({ contains: (address) => list.check(address, isIPv4(address) ? "ipv4" : "ipv6") })
}

/** An IPv6 address with its zone, brackets and a port is shorter. */
const maxEntryLength = 100

/** The address of an entry of `X-Forwarded-For`, to which some proxies add the port. */
const addressOfEntry = (entry: string): string | undefined => {
  if (entry.length > maxEntryLength) return undefined
  return canonical(/^\[(.*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry)
}

/**
 * The address before a chain of proxies: the right-most one of `X-Forwarded-For` that is not trusted. What stands further left is what the
 * client says itself, and is not looked at. Where an entry is no address, and where all are trusted, it is the last one that was.
 */
const forwardedAddress = (connection: string, forwarded: string, trusted: AddressRanges): string => {
  let address = connection
  let end = forwarded.length
  while (end >= 0 && trusted.contains(address)) {
    const comma = end === 0 ? -1 : forwarded.lastIndexOf(",", end - 1)
    const next = addressOfEntry(forwarded.slice(comma + 1, end).trim())
    if (next === undefined) return address
    address = next
    end = comma
  }
  return address
}

/** The client of a connection from this address with this header `X-Forwarded-For`, which only trusted proxies are believed. */
export const clientAddress = (
  connection: string | undefined,
  forwarded: string | undefined,
  trusted: AddressRanges | undefined
): ClientAddress => {
  const remote = canonical(connection ?? "")
  if (remote === undefined) return { address: "unknown", network: "unknown" }
  const address = forwarded === undefined || trusted === undefined ? remote : forwardedAddress(remote, forwarded, trusted)
  return { address, network: networkOf(address) }
}
