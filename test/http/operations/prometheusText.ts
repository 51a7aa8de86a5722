const sample =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*",?)*\})? (NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/
const type = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)$/
const help = /^# HELP [a-zA-Z_:][a-zA-Z0-9_:]* .+$/

const familyOf = (name: string, families: ReadonlySet<string>): string =>
  families.has(name) ? name : name.replace(/_(bucket|sum|count)$/, "")

/**
 * The samples of a text in the Prometheus format 0.0.4, by name and labels as written. Throws when a line is malformed, a
 * family is declared twice or a sample appears twice or outside its family.
 */
export const parsePrometheusText = (text: string): Readonly<Record<string, number>> => {
  if (!text.endsWith("\n")) throw new Error("The last line has no end")
  const families = new Set<string>()
  const samples = new Map<string, number>()
  let current = ""
  for (const line of text.slice(0, -1).split("\n")) {
    const declared = type.exec(line)?.[1]
    if (declared !== undefined) {
      if (families.has(declared)) throw new Error(`Family ${declared} is declared twice`)
      families.add(declared)
      current = declared
      continue
    }
    if (help.test(line)) continue
    const [, name = "", labels = "", value = ""] = sample.exec(line) ?? []
    if (name === "" || familyOf(name, families) !== current) throw new Error(`Misplaced or malformed: ${line}`)
    if (samples.has(name + labels)) throw new Error(`Repeated: ${line}`)
    samples.set(name + labels, Number(value))
  }
  return Object.fromEntries(samples)
}
