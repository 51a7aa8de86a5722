import { expect, it } from "vitest"
import { formatDate } from "#src/changelog/dateFormat.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"

const at = (text: string, offsetSeconds = 0) => ({ epochMillis: Date.parse(text), offsetSeconds })
const afternoon = at("2021-01-05T13:04:09.078Z")

it.each([
  ["%Y-%m-%d", "2021-01-05"],
  ["%C %y %G %g %V %U %W", "20 21 2021 21 01 01 01"],
  ["%B %b %h %A %a", "January Jan Jan Tuesday Tue"],
  ["%^B %^a %#b %#p %^p", "JANUARY TUE JAN pm PM"],
  ["%d %e %j %u %w", "05  5 005 2 2"],
  ["%-d %-m %-e %_d %_m %0e %-j", "5 1 5  5  1 05 5"],
  ["%H %k %I %l %M %S %p %P", "13 13 01  1 04 09 PM pm"],
  ["%L %N %3N %6N %1N", "078 078000000 078 078000 0"],
  ["%z %:z %::z %Z", "+0000 +00:00 +00:00:00 +00:00"],
  ["%s %Q", "1609851849 1609851849078"],
  ["%c|%D|%x|%F", "Tue Jan  5 13:04:09 2021|01/05/21|01/05/21|2021-01-05"],
  ["%T|%X|%R|%r|%v", "13:04:09|13:04:09|13:04|01:04:09 PM| 5-JAN-2021"],
  ["%+", "Tue Jan  5 13:04:09 +00:00 2021"],
  ["%%Y%n%t%%", "%Y\n\t%"],
  ["%6Y %5d %10B %-5d %05e", "002021 00005    January 5 00005"],
  ["%E %i %f %J %:Y %100d % %", "%E %i %f %J %:Y %100d % %"],
  ["no directive $1 $& ä", "no directive $1 $& ä"],
  ["", ""]
])("%j gives %j", (pattern, expected) => {
  expect(formatDate(afternoon, pattern)).toBe(expected)
})

it.each([
  ["2024-01-02T04:30:00Z", -5 * 3600, "%Y-%m-%d %H:%M %z %:z %Z", "2024-01-01 23:30 -0500 -05:00 -05:00"],
  ["2024-01-01T20:00:00Z", 5.5 * 3600, "%F %T %z %8z %::z", "2024-01-02 01:30:00 +0530 +0000530 +05:30:00"],
  ["2024-01-01T00:00:00Z", -1800, "%z", "-0030"]
])("%s with an offset of %i seconds", (text, offset, pattern, expected) => {
  expect(formatDate(at(text, offset), pattern)).toBe(expected)
})

it.each([
  ["2021-01-01", "2020-W53-5 00 00 001"],
  ["2021-01-03", "2020-W53-7 01 00 003"],
  ["2021-01-04", "2021-W01-1 01 01 004"],
  ["2020-12-31", "2020-W53-4 52 52 366"],
  ["2018-12-31", "2019-W01-1 52 53 365"],
  ["2024-02-29", "2024-W09-4 08 09 060"]
])("weeks of %s", (day, expected) => {
  expect(formatDate(at(`${day}T00:00:00Z`), "%G-W%V-%u %U %W %j")).toBe(expected)
})

it.each([
  ["00:00", "12 AM"],
  ["11:59", "11 AM"],
  ["12:00", "12 PM"],
  ["23:00", "11 PM"]
])("%s on a clock of twelve hours", (time, expected) => {
  expect(formatDate(at(`2021-01-05T${time}:00Z`), "%I %p")).toBe(expected)
})

it.each(["%", "%-", "%1", "%:", "%c", "%99d"])("a pattern of many %j is done soon", (pattern) => {
  const started = cpuMillis()
  formatDate(afternoon, pattern.repeat(100_000))
  expect(cpuMillis() - started).toBeLessThan(2000)
})
