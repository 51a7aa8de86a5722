import { expect, it } from "vitest"
import { colorOf, isColor, textColorOn } from "#src/labels/color.ts"
import { cssColors } from "#src/labels/cssColors.ts"

it("knows all named colors of CSS, each with six digits", () => {
  expect(cssColors.size).toBe(148)
  expect([...cssColors.values()].filter((color) => !/^#[0-9A-F]{6}$/.test(color))).toEqual([])
  expect(cssColors.get("rebeccapurple")).toBe("#663399")
})

it.each([
  ["red", "#FF0000"],
  [" AliceBlue ", "#F0F8FF"],
  ["yellowgreen", "#9ACD32"],
  [" #abc ", "#abc"],
  ["nonsense", "nonsense"],
  ["constructor", "constructor"]
])("keeps %j as %s", (text, color) => {
  expect(colorOf(text)).toBe(color)
})

it.each([
  ["#FFFFFF", "#1F1E24"],
  ["#fff", "#1F1E24"],
  ["#000", "#FFFFFF"],
  ["#FF0000", "#FFFFFF"],
  // The sums are 500 and 501.
  ["#FFF500", "#FFFFFF"],
  ["#FFF600", "#1F1E24"],
  ["#D9534F", "#FFFFFF"],
  ["#F0AD4E", "#FFFFFF"],
  ["#FFECDB", "#1F1E24"]
])("text on %s is %s", (color, text) => {
  expect([isColor(color), textColorOn(color)]).toEqual([true, text])
})
