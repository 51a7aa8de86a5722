import { expect, it } from "vitest"
import { isPublicAddress } from "#src/imports/remote/address.ts"

const refused: ReadonlyArray<readonly [string, string]> = [
  ["this host", "0.0.0.0"],
  ["this network", "0.1.2.3"],
  ["private", "10.0.0.1"],
  ["shared by a carrier", "100.64.0.1"],
  ["shared by a carrier, where a cloud has its metadata", "100.100.100.200"],
  ["loopback", "127.0.0.1"],
  ["loopback", "127.255.255.254"],
  ["metadata of a cloud", "168.63.129.16"],
  ["link-local: metadata of clouds", "169.254.169.254"],
  ["private", "172.16.0.1"],
  ["private", "172.31.255.255"],
  ["protocol assignments", "192.0.0.192"],
  ["documentation", "192.0.2.1"],
  ["private", "192.168.1.1"],
  ["benchmarks", "198.18.0.1"],
  ["benchmarks", "198.19.255.255"],
  ["documentation", "203.0.113.9"],
  ["multicast", "224.0.0.1"],
  ["reserved", "240.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["unspecified", "::"],
  ["loopback", "::1"],
  ["loopback, written out", "0:0:0:0:0:0:0:1"],
  ["mapped", "::ffff:127.0.0.1"],
  ["mapped, in hexadecimal", "::ffff:7f00:1"],
  ["mapped, written out", "0:0:0:0:0:ffff:a9fe:a9fe"],
  ["compatible with IPv4", "::127.0.0.1"],
  ["translated by NAT64", "64:ff9b::10.0.0.1"],
  ["translated locally", "64:ff9b:1::1"],
  ["discarded", "100::1"],
  ["Teredo", "2001::1"],
  ["benchmarks", "2001:2::1"],
  ["documentation", "2001:db8::1"],
  ["documentation", "3fff::1"],
  ["6to4", "2002:7f00:1::"],
  ["unique local: metadata of a cloud", "fd00:ec2::254"],
  ["unique local", "fc00::1"],
  ["link-local", "fe80::1"],
  ["link-local with a zone", "fe80::1%eth0"],
  ["with a zone", "2606:4700::1%eth0"],
  ["site-local", "fec0::1"],
  ["multicast", "ff02::1"],
  ["no address", "example.com"],
  ["a number", "2130706433"],
  ["octal", "0177.0.0.1"],
  ["empty", ""]
]

it.each(refused)("not public: %s %s", (_, address) => {
  expect(isPublicAddress(address)).toBe(false)
})

it.each([
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.1",
  "140.82.121.3",
  "169.253.255.255",
  "172.15.255.255",
  "172.32.0.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001:830::200e",
  "2001:4860:4860::8888",
  "::ffff:1.1.1.1",
  "64:ff9b::101:101"
])("public: %s", (address) => {
  expect(isPublicAddress(address)).toBe(true)
})
