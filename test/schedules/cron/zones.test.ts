import { describe, expect, it } from "vitest"
import { friendlyZoneNames } from "#src/schedules/cron/friendlyZoneNames.ts"
import { zoneNames } from "#src/schedules/cron/zoneNames.ts"
import { zoneOf } from "#src/schedules/cron/zones.ts"

const named = (name: string) => ({ _tag: "Named", name })
const fixed = (minutes: number) => ({ _tag: "Fixed", offsetMillis: minutes * 60_000 })

const isKnownToIntl = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== ""
  } catch {
    return false
  }
}

describe("zoneOf", () => {
  it.each([
    "Etc/UTC",
    "GMT",
    "America/Los_Angeles",
    "US/Pacific",
    "America/Argentina/Buenos_Aires",
    "EST",
    "CET",
    "EST5EDT",
    "PRC",
    "Etc/GMT+5",
    "Europe/Kyiv",
    "Europe/Kiev",
    "America/Nuuk",
    "America/Godthab",
    "Asia/Calcutta",
    "Asia/Kathmandu",
    "Zulu",
    "W-SU"
  ])("knows %s by its name", (name) => {
    expect(zoneOf(name)).toEqual(named(name))
  })

  it.each([
    ["UTC", "Etc/UTC"],
    ["Pacific Time (US & Canada)", "America/Los_Angeles"],
    ["Eastern Time (US & Canada)", "America/New_York"],
    ["Berlin", "Europe/Berlin"],
    ["Bern", "Europe/Zurich"],
    ["Tokyo", "Asia/Tokyo"],
    ["London", "Europe/London"],
    ["Kyiv", "Europe/Kiev"],
    ["Nuku'alofa", "Pacific/Tongatapu"],
    ["Greenland", "America/Godthab"],
    ["Rangoon", "Asia/Rangoon"],
    ["Astana", "Asia/Dhaka"],
    ["Canberra", "Australia/Melbourne"],
    ["International Date Line West", "Etc/GMT+12"],
    ["St. Petersburg", "Europe/Moscow"]
  ])("knows %s as %s", (text, name) => {
    expect(zoneOf(text)).toEqual(named(name))
  })

  it.each([
    ["+09:00", 540],
    ["-0330", -210],
    ["+0000", 0],
    ["-00:00", 0],
    ["-00:30", -30],
    ["+0545", 345],
    ["+11:15", 675],
    ["-11:45", -705],
    ["-12:00", -720],
    ["+1245", 765],
    ["+14:00", 840]
  ])("knows the offset %s", (text, minutes) => {
    expect(zoneOf(text)).toEqual(fixed(minutes))
  })

  it.each([
    ["Europe/Paris ", named("Europe/Paris")],
    ["Europe/Paris \t\n", named("Europe/Paris")],
    ["+09:00 ", fixed(540)]
  ])("passes over the blanks of %j", (text, zone) => {
    expect(zoneOf(text)).toEqual(zone)
  })

  it.each([
    "PST",
    "PDT",
    "JST",
    "IST",
    "CEST",
    "utc",
    "Utc",
    "europe/paris",
    "EUROPE/PARIS",
    "berlin",
    "Berlin ",
    "PACIFIC TIME (US & CANADA)",
    "UTC+02:00",
    "UTC+2",
    "GMT+5",
    "+9",
    "+09",
    "+9:00",
    "+09:10",
    "+09:00:00",
    "-12:15",
    "+14:15",
    "+99:00",
    "+12:60",
    "09:00",
    "Z",
    "z",
    "Mars/Phobos",
    "Invalid-zone",
    "Europe/Parisx",
    "Europe/",
    "Europe",
    "Europe Paris",
    "Pacific Time (Canada)",
    "Alberta",
    "Asuncion",
    "Factory",
    "localtime",
    "posixrules",
    "",
    " ",
    "constructor",
    "__proto__"
  ])("knows no %j", (text) => {
    expect(zoneOf(text)).toBeUndefined()
  })
})

it("every zone that Intl lists is known, and every known zone has its rules there", () => {
  expect(Intl.supportedValuesOf("timeZone").filter((name) => !zoneNames.has(name))).toEqual([])
  expect([...zoneNames].filter((name) => !isKnownToIntl(name))).toEqual([])
  expect([...friendlyZoneNames.values()].filter((name) => !zoneNames.has(name))).toEqual([])
  expect([zoneNames.size, friendlyZoneNames.size]).toEqual([597, 151])
})
