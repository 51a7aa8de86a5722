import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isoDate, isoMillis } from "#src/http/answer/jsonTimes.ts"
import { coercionOf, invalid } from "#src/http/parameters/coerce.ts"
import { parseMoment } from "#src/http/parameters/dateTimes.ts"

type Kind = Parameters<typeof coercionOf>[0]
type Row = readonly [given: unknown, expected: unknown]

const at = (text: string): number => Date.parse(text)
const each = <A>(values: ReadonlyArray<unknown>, expected: A): ReadonlyArray<Row> => values.map((value) => [value, expected])

const rows: Readonly<Record<Kind, ReadonlyArray<Row>>> = {
  string: [
    ["text", "text"],
    ["", ""],
    [" kept ", " kept "],
    [5, "5"],
    [1.5, "1.5"],
    [true, "true"],
    [null, null],
    ["grüße 🎉", "grüße 🎉"],
    ...each([[], ["a"], {}, { a: 1 }, "a\0b", "\ud800", "x\udc00y"], invalid)
  ],
  integer: [
    ["5", 5],
    [" 5", 5],
    ["5 ", 5],
    ["010", 10],
    ["1_000", 1000],
    ["-3", -3],
    ["+3", 3],
    ["-0", 0],
    [7, 7],
    [1.5, 1],
    [-1.5, -1],
    [-0.5, 0],
    ["", null],
    [null, null],
    ["9007199254740991", 9007199254740991],
    ...each(["9007199254740992", "-9007199254740992", 1e300, 2 ** 53, "9".repeat(400)], invalid),
    ...each(["abc", "1.5", "0x10", "1e3", "1__0", "_1", "1_", "--1", " ", "５", "1\0", true, false, [], [1], {}], invalid)
  ],
  float: [
    ["5", 5],
    [" 98.5 ", 98.5],
    ["1_000.5", 1000.5],
    ["-0.25", -0.25],
    ["1e3", 1000],
    ["2.5E-1", 0.25],
    [7, 7],
    [1.5, 1.5],
    ["", null],
    [null, null],
    ...each(
      ["abc", "1.", ".5", "0x10", "1e", "1__0", "1e999", " ", "NaN", "Infinity", Number.POSITIVE_INFINITY, true, [], {}],
      invalid
    )
  ],
  boolean: [
    ...each(["1", "on", "On", "ON", "t", "T", "true", "True", "TRUE", "y", "Y", "yes", "Yes", "YES", true, 1], true),
    ...each(["0", "off", "Off", "OFF", "f", "F", "false", "False", "FALSE", "n", "N", "no", "No", "NO", false, 0], false),
    ...each(["", null], null),
    ...each(["tRUE", "2", "maybe", " true", 2, -1, [], {}], invalid)
  ],
  dateTime: [
    ...each(
      ["2024-01-01", "20240101", "01/01/2024", "2024/1/1", "2024-1-1", "1 Jan 2024", "Mon, 01 Jan 2024", "January 1st, 2024"],
      at("2024-01-01T00:00:00Z")
    ),
    ["01/02/2024", at("2024-02-01T00:00:00Z")],
    ["01.02.2024", at("2024-02-01T00:00:00Z")],
    ["1-Feb-2024", at("2024-02-01T00:00:00Z")],
    ...each(
      [
        "2024-01-01 10:00",
        " 2024-01-01T10:00:00 ",
        "2024-01-01T10:00:00Z",
        "2024-01-01t10:00:00z",
        "20240101T100000Z",
        "2024-01-01T12:00:00+02:00",
        "2024-01-01T12:00:00 +0200",
        "2024-01-01T05:00:00-05",
        "2024-01-01 08:00 am -02:00",
        "2024-01-01 10:00:00 UTC",
        "Mon, 01 Jan 2024 10:00:00 GMT"
      ],
      at("2024-01-01T10:00:00Z")
    ),
    ["2024-01-01T10:00:00 02:00", at("2024-01-01T10:00:00Z")],
    ["2024-01-01T10:00:00.6789Z", at("2024-01-01T10:00:00.678Z")],
    ["2024-01-01 12:30 am", at("2024-01-01T00:30:00Z")],
    ["2024-01-01 12:30 pm", at("2024-01-01T12:30:00Z")],
    ["2024-01-01T24:00:00Z", at("2024-01-02T00:00:00Z")],
    ["2016-12-31T23:59:60Z", at("2016-12-31T23:59:59Z")],
    ...each(["2024-W05-4", "2024W054", "2024-w05-4", "2024-032", "2024032"], at("2024-02-01T00:00:00Z")),
    ...each(["2026-W47-7", "2026W477", "2026-326", "2026326"], at("2026-11-22T00:00:00Z")),
    ...each(["2026-W47", "2026W47"], at("2026-11-16T00:00:00Z")),
    ...each(["2026-W47-7T10:00:00+02:00", "2026W477T080000Z", "Sun, 2026-326 08:00"], at("2026-11-22T08:00:00Z")),
    // The first and the last days of years whose weeks reach into others; a leap year.
    ["2025-W01-1", at("2024-12-30T00:00:00Z")],
    ["2020-W53-7", at("2021-01-03T00:00:00Z")],
    ["2024-366", at("2024-12-31T00:00:00Z")],
    ...each(["2021-W53-1", "2026-W00-1", "2026-W54", "2026-W47-0", "2026-W47-8", "2026-W4", "2026-W4777", "2026-W47x"], invalid),
    ...each(["2026-000", "2026-366", "2024-367", "0000-001", "0001-W01-0", "2026-32", "2026-3260"], invalid),
    ["0099-03-01", at("0099-03-01T00:00:00Z")],
    ["2024-02-29", at("2024-02-29T00:00:00Z")],
    ...each(["", null], null),
    ...each(["1704067200", "1711122030", "1711122030000", "2024", "2024-13-01", "2024-02-30", "2023-02-29"], invalid),
    ...each(["2024-01-01T25:00", "2024-01-01T24:00:01", "2024-01-01T10:60", "2024-01-01T10:00:61"], invalid),
    ...each(["2024-01-01T10:00+24:00", "2024-01-01 13:00 pm", "2024-01-01 0:00 am", "2024-01/01", "2024-01-01\0"], invalid),
    ...each(["yesterday", "invalid", "2024-01-01 soon", "0000-01-01", "2024-00-10", "1".repeat(200)], invalid),
    ...each([1704067200, 2024, true, [], ["2024-01-01"], {}], invalid)
  ],
  moment: [
    ["2024-01-01", { day: "2024-01-01", millis: at("2024-01-01T00:00:00Z"), offsetMinutes: 0 }],
    ["2024-01-01T23:30:00-05:00", { day: "2024-01-01", millis: at("2024-01-02T04:30:00Z"), offsetMinutes: -300 }],
    ["2024-01-01T00:30:00.5+0545", { day: "2024-01-01", millis: at("2023-12-31T18:45:00.5Z"), offsetMinutes: 345 }],
    ["2024-01-01T10:00:00Z", { day: "2024-01-01", millis: at("2024-01-01T10:00:00Z"), offsetMinutes: 0 }],
    ["2024-01-01T10:00:00 02:00", { day: "2024-01-01", millis: at("2024-01-01T10:00:00Z"), offsetMinutes: 0 }],
    ...each(["", null], null),
    ...each(["2024-13-01", "tomorrow", "2024-01-01T10:00+24:00", 20240101, []], invalid)
  ],
  date: [
    ["2024-01-01", "2024-01-01"],
    ["01/02/2024", "2024-02-01"],
    ["2024-01-01T23:00:00-05:00", "2024-01-01"],
    ["2026-W47-7", "2026-11-22"],
    ["2026-326", "2026-11-22"],
    ...each(["", null], null),
    ...each(["2024-13-01", "tomorrow", 20240101, []], invalid)
  ],
  stringList: [
    ["a, b", ["a", "b"]],
    [
      ["a", "b,c"],
      ["a", "b", "c"]
    ],
    ["a,,b,,", ["a", "", "b"]],
    ["", []],
    [[], []],
    [
      [null, 1, true],
      ["1", "true"]
    ],
    [5, ["5"]],
    [{ "0": "a", "1": "b" }, ["a", "b"]],
    [null, null],
    ...each([{ a: "b" }, [["a"]], [{}], "a,\0", ["\ud800"], "a,".repeat(10_001), new Array(200_000).fill("a")], invalid)
  ],
  integerList: [
    ["1,2", [1, 2]],
    [
      ["1", "2"],
      [1, 2]
    ],
    [
      [1, "2,3"],
      [1, 2, 3]
    ],
    [5, [5]],
    ["abc", [0]],
    ["1,x,3", [1, 0, 3]],
    ["12abc, -4,1_0,1.9", [12, -4, 10, 1]],
    ["", []],
    [[], []],
    [{ "0": "7" }, [7]],
    [null, null],
    // Nothing has this id, nor a higher one.
    ["9007199254740992,-9007199254740992", [9007199254740991, 9007199254740991]],
    ...each([{ a: 1 }, [[1]]], invalid)
  ]
}

const kinds: ReadonlyArray<Kind> = ["string", "integer", "boolean", "dateTime", "moment", "date", "stringList", "integerList"]
const cases = kinds.flatMap((kind) => rows[kind].map(([given, expected]) => ({ kind, given, expected })))

describe("coercions", () => {
  test.each(cases)("$kind: $given", ({ kind, given, expected }) => {
    expect(coercionOf(kind)(given)).toStrictEqual(expected)
  })

  test.each(kinds)("%s never throws, whatever it is given", (kind) => {
    const anything = fc.oneof(fc.anything(), fc.string({ unit: "binary" }), fc.jsonValue())
    fc.assert(fc.property(anything, (value) => void coercionOf(kind)(value)))
  })
})

describe("times on the wire", () => {
  const instants = fc.date({
    min: new Date("0001-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true
  })

  test("are written as the language writes them", () => {
    fc.assert(fc.property(instants, (date) => isoMillis(date.getTime()) === date.toISOString()))
    fc.assert(fc.property(instants, (date) => isoDate(date.getTime()) === date.toISOString().slice(0, 10)))
  })

  test("finer fractions are cut off", () => {
    expect(isoMillis(1704164645678.9)).toBe("2024-01-02T03:04:05.678Z")
  })

  test("are read back as the same instant", () => {
    fc.assert(fc.property(instants, (date) => parseMoment(isoMillis(date.getTime()))?.millis === date.getTime()))
  })
})
