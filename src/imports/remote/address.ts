import { isIPv4, isIPv6 } from "node:net"

/** The four bytes of an IPv4 address. */
const bytesOf4 = (text: string): ReadonlyArray<number> => text.split(".").map(Number)

/** The sixteen bytes of a valid IPv6 address without a zone. */
const bytesOf6 = (text: string): ReadonlyArray<number> => {
  const [, head = "", tail] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text) ?? []
  const [a = 0, b = 0, c = 0, d = 0] = bytesOf4(tail ?? "0.0.0.0")
  const plain = tail === undefined ? text : `${head}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  const [left = "", right] = plain.split("::")
  const groups = (part: string) => part.split(":").filter((group) => group !== "")
  const [before, after] = [groups(left), groups(right ?? "")]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0")
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}

interface Range {
  readonly bytes: ReadonlyArray<number>
  /** The number of bits of the prefix. */
  readonly bits: number
}

const range = (text: string): Range => {
  const [address = "", bits] = text.split("/")
  return { bytes: isIPv4(address) ? bytesOf4(address) : bytesOf6(address), bits: Number(bits) }
}

const isWithin = (address: ReadonlyArray<number>, { bits, bytes }: Range): boolean =>
  bytes.every((byte, index) => {
    const counting = Math.min(8, Math.max(0, bits - index * 8))
    const mask = (0xff << (8 - counting)) & 0xff
    return ((address[index] ?? 0) & mask) === (byte & mask)
  })

/** What is not public of IPv4: the special-purpose registry of IANA, and the address under which a cloud offers its metadata. */
const special4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3"
].map(range)

const global6 = range("2000::/3")
const special6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map(range)
/** The ranges of IPv6 that carry an IPv4 address in their last four bytes. */
const carriers6 = ["::ffff:0:0/96", "64:ff9b::/96"].map(range)

const isPublic4 = (bytes: ReadonlyArray<number>): boolean => !special4.some((each) => isWithin(bytes, each))

/** Whether an IP address lies in the public internet. A text that is no address, or one with a zone, does not. */
export const isPublicAddress = (text: string): boolean => {
  if (isIPv4(text)) return isPublic4(bytesOf4(text))
  if (!isIPv6(text) || text.includes("%")) return false
  const bytes = bytesOf6(text)
  if (carriers6.some((each) => isWithin(bytes, each))) return isPublic4(bytes.slice(12))
  return isWithin(bytes, global6) && !special6.some((each) => isWithin(bytes, each))
}
