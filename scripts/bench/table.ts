import { type Figure, isMet, type Row } from "./figures.ts"

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en") : value.toLocaleString("en", { maximumSignificantDigits: 2 })

const figure = ({ max, median, min }: Figure): string => `${number(median)} (${number(min)}-${number(max)})`

const targetOf = ({ target = {}, unit }: Row): string =>
  [
    target.ratio && `${target.ratio}x`,
    target.rate && `${number(target.rate)}${unit}`,
    target.maxRatio && `at most ${target.maxRatio}x`,
    target.max !== undefined && `at most ${number(target.max)} ${unit}`
  ]
    .filter(Boolean)
    .join(", ")

const cells = (row: Row): ReadonlyArray<string> => {
  const met = isMet(row)
  return [
    row.name,
    row.unit,
    figure(row.ours),
    row.peer === undefined ? "" : figure(row.peer),
    row.ratio === undefined ? "" : `${number(row.ratio)}x`,
    targetOf(row),
    met === undefined ? "" : met ? "met" : "NOT MET"
  ]
}

const header = ["", "unit", "ours: median (min-max)", "peer", "ratio", "target", ""]

/** The rows as a Markdown table that is readable as text. */
export const table = (rows: ReadonlyArray<Row>): string => {
  const lines = [header, ...rows.map(cells)]
  const widths = header.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)))
  const print = (line: ReadonlyArray<string>) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`
  return [
    print(header),
    `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`,
    ...rows.map((row) => print(cells(row)))
  ].join("\n")
}
