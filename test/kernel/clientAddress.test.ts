import { isIPv6 } from "node:net"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clientAddress, parseAddressRanges } from "#src/kernel/clientAddress.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"

const parsed = (text: string) => Result.getOrThrow(parseAddressRanges(text))
const trusted = parsed("loopback, 10.0.0.0/8, 192.0.2.7,2001:db8:1::/48")

describe("the client of a connection", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1", "192.0.2.1"],
    ["IPv4 within IPv6", "::ffff:192.0.2.1", "192.0.2.1"],
    ["IPv4 within IPv6, written out", "0:0:0:0:0:FFFF:C000:0201", "192.0.2.1"]
  ])("is its address: %s", (_, connection, address) => {
    expect(clientAddress(connection, undefined, undefined)).toEqual({ address, network: address })
  })

  it.each([
    ["2001:db8:a:b:c:d:e:f", "2001:db8:a:b:c:d:e:f", "2001:db8:a:b::/64"],
    ["2001:0DB8::1", "2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8:0:0:1::", "2001:db8:0:0:1::", "2001:db8:0:0::/64"],
    ["::1", "::1", "0:0:0:0::/64"],
    ["::", "::", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80::1", "fe80:0:0:0::/64"],
    ["64:ff9b::192.0.2.1", "64:ff9b::c000:201", "64:ff9b:0:0::/64"]
  ])("counts by the /64 where it is of IPv6: %s", (connection, address, network) => {
    expect(clientAddress(connection, undefined, undefined)).toEqual({ address, network })
  })

  it("is unknown when the connection is gone", () => {
    expect(clientAddress(undefined, "192.0.2.1", trusted)).toEqual({ address: "unknown", network: "unknown" })
  })

  it("is always a valid address, and of IPv6 the first half is counted", () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const { address, network } = clientAddress(text, undefined, undefined)
        expect(network === address || isIPv6(network.replace("/64", ""))).toBe(true)
        expect(clientAddress(address, undefined, undefined)).toEqual({ address, network })
      })
    )
  })
})

describe("behind trusted proxies the client is", () => {
  const found = (connection: string, forwarded: string | undefined) => clientAddress(connection, forwarded, trusted).address
  it.each([
    ["who connects to the proxy", "127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["who connects to the first of several", "127.0.0.1", "198.51.100.1, 192.0.2.7,10.1.2.3", "198.51.100.1"],
    ["not whom a client invents", "127.0.0.1", "203.0.113.9, 127.0.0.1, 198.51.100.1", "198.51.100.1"],
    ["not whom a client invents behind a list of proxies", "127.0.0.1", "203.0.113.9, 198.51.100.1, 10.0.0.1", "198.51.100.1"],
    ["of IPv6", "2001:db8:1::1", "2001:DB8:2::1", "2001:db8:2::1"],
    ["with a port", "127.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
    ["of IPv6, with a port", "127.0.0.1", "[2001:db8:2::1]:4711", "2001:db8:2::1"],
    ["of IPv6, in brackets", "127.0.0.1", "[2001:db8:2::1]", "2001:db8:2::1"],
    ["of IPv4 within IPv6", "::ffff:127.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"],
    ["the furthest where all are trusted", "127.0.0.1", "10.0.0.3, 10.0.0.2, 10.0.0.1", "10.0.0.3"],
    ["the proxy without a header", "127.0.0.1", undefined, "127.0.0.1"],
    ["the proxy with an empty header", "127.0.0.1", "", "127.0.0.1"],
    ["the proxy that forwards no address", "127.0.0.1", "unknown", "127.0.0.1"],
    ["the proxy that forwards a name", "127.0.0.1", "198.51.100.1, example.com", "127.0.0.1"],
    ["the proxy where the last entry is empty", "127.0.0.1", "198.51.100.1,", "127.0.0.1"],
    ["the last one before what is no address", "127.0.0.1", "198.51.100.1, ,10.0.0.2", "10.0.0.2"],
    ["not a number", "127.0.0.1", "3325256705", "127.0.0.1"],
    ["not an octal address", "127.0.0.1", "0306.063.0144.01", "127.0.0.1"],
    ["not an address with a path", "127.0.0.1", "198.51.100.1/24", "127.0.0.1"],
    ["not an address within brackets that do not close", "127.0.0.1", "[2001:db8:2::1", "127.0.0.1"],
    ["not what follows a zone", "127.0.0.1", "fe80::1%]/@evil\n", "127.0.0.1"],
    ["who is not trusted, whatever they say", "198.51.100.2", "198.51.100.1", "198.51.100.2"]
  ])("%s", (_, connection, forwarded, address) => {
    expect(found(connection, forwarded)).toBe(address)
  })

  it("not looked for where none are trusted", () => {
    expect(clientAddress("127.0.0.1", "198.51.100.1", undefined).address).toBe("127.0.0.1")
  })

  it("one of those in the header, or the proxy, whatever it holds", () => {
    const entry = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constantFrom("", "10.0.0.1", "::1", "[", "[::1]:1", "%"))
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), (entries) => {
        const address = found("127.0.0.1", entries.join(","))
        expect(clientAddress(address, undefined, undefined).address).toBe(address)
      })
    )
  })

  it.each(["10.0.0.1,".repeat(4_000), "[".repeat(32_768), "]:1".repeat(10_000), ",".repeat(32_768), "1".repeat(32_768)])(
    "found in linear time (%#)",
    (header) => {
      const startedAt = cpuMillis()
      found("127.0.0.1", `${header}10.0.0.1`)
      expect(cpuMillis() - startedAt).toBeLessThan(1_000)
    }
  )
})

describe("trusted are", () => {
  const contains = (list: string, ...addresses: ReadonlyArray<string>) =>
    addresses.map((address) => parsed(list).contains(address))
  it.each([
    ["addresses", "192.0.2.7", ["192.0.2.7", "192.0.2.8"], [true, false]],
    ["addresses of IPv6", "2001:DB8::7", ["2001:db8::7", "2001:db8::8"], [true, false]],
    ["ranges", "192.0.2.0/24", ["192.0.2.255", "192.0.3.0"], [true, false]],
    ["ranges that begin within", "192.0.2.77/24", ["192.0.2.1", "192.0.3.0"], [true, false]],
    ["ranges of IPv6", "2001:db8:ff00::/40", ["2001:db8:ffff::1", "2001:db8:fe00::1"], [true, false]],
    ["all of IPv4", "0.0.0.0/0", ["203.0.113.1", "2001:db8::1"], [true, false]],
    ["loopback", "loopback", ["127.0.0.1", "127.9.9.9", "::1", "128.0.0.1", "::2"], [true, true, true, false, false]],
    [
      "private",
      "private",
      ["10.1.1.1", "172.31.1.1", "192.168.1.1", "fd00::1", "172.32.0.1", "169.254.1.1", "127.0.0.1"],
      [true, true, true, true, false, false, false]
    ],
    ["several", " loopback ,10.0.0.0/8", ["::1", "10.0.0.1", "11.0.0.1"], [true, true, false]]
  ])("%s", (_, list, addresses, expected) => {
    expect(contains(list, ...addresses)).toEqual(expected)
  })

  it.each([
    ["", 1],
    ["loopback,", 2],
    ["loopback,,private", 2],
    ["10.0.0.0/33", 1],
    ["::/129", 1],
    ["10.0.0.0/8,10.0.0.300", 2],
    ["10.0.0.0/", 1],
    ["10.0.0.0/-1", 1],
    ["10.0.0/8", 1],
    ["10.0.0.0 /8", 1],
    ["proxy.example.com", 1],
    ["fe80::1%eth0", 1],
    ["::ffff:10.0.0.0/104", 1],
    ["Loopback", 1],
    ["constructor", 1],
    ["*", 1]
  ])("not: %s", (list, entry) => {
    expect(parseAddressRanges(list)).toEqual(Result.fail(entry))
  })
})
