import { expect, it } from "vitest"
import { allowsGzip, namesHtml } from "#src/http/operations/acceptance.ts"

it.each([
  [undefined, false],
  ["", false],
  ["gzip", true],
  ["GZIP;q=0.5", true],
  ["deflate, gzip ; q=1.0, br", true],
  ["identity", false],
  ["*", true],
  ["*;q=0", false],
  ["gzip;q=0, *", false],
  ["gzip;q=0.000", false],
  ["x-gzip-like", false]
])("%j allows gzip: %s", (header, allowed) => {
  expect(allowsGzip(header)).toBe(allowed)
})

it.each([
  [undefined, false],
  ["*/*", false],
  ["text/*", false],
  ["application/json", false],
  ["text/html", true],
  ["Text/HTML;level=1;q=0.3", true],
  ["application/json, text/html; q=0", false],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true]
])("%j names HTML: %s", (header, named) => {
  expect(namesHtml(header)).toBe(named)
})
