import { readFileSync } from "node:fs"
import { ConfigProvider, Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { AppConfig, type Settings } from "#src/config.ts"

/** The settings with nothing set, and the variables that were asked for. */
const unset = Effect.gen(function* () {
  const asked = new Set<string>()
  const provider = ConfigProvider.make((path) =>
    Effect.sync(() => {
      asked.add(path.join("."))
      return undefined
    })
  )
  const settings = yield* Effect.provide(AppConfig, Layer.provide(AppConfig.layer, ConfigProvider.layer(provider)))
  return { asked: [...asked], settings }
})

/** Rows of the table in the README: the variable, and what stands under Default. */
const documented = [...readFileSync("README.md", "utf8").matchAll(/^\| `([A-Z_]+)` \| (.*?) \|/gm)].map(
  ([, name = "", shown = ""]) => [name, shown] as const
)

const nameOf: Partial<Record<keyof Settings, string>> = { otlpEndpoint: "OTEL_EXPORTER_OTLP_ENDPOINT" }
const variableOf = (setting: keyof Settings): string =>
  nameOf[setting] ?? setting.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

/** A value as it is written in the environment. */
const written = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? Object.entries(value)
        .map(([name, part]) => `${name}=${part}`)
        .join(" ")
    : String(value)

it("the README names every setting, and no other", async () => {
  const { asked } = await Effect.runPromise(unset)
  expect(documented.map(([name]) => name).toSorted()).toEqual(asked.toSorted())
})

it("the README tells the defaults", async () => {
  const { settings } = await Effect.runPromise(unset)
  const { dataDir, ...others } = settings
  const shown = new Map(documented)
  const entries = Object.entries(others) as ReadonlyArray<[keyof Settings, unknown]>
  const fixed = entries.filter(([, value]) => value !== undefined)
  expect(fixed.map(([name]) => [name, shown.get(variableOf(name))])).toEqual(
    fixed.map(([name, value]) => [name, `\`${written(value)}\``])
  )
  expect([shown.get("DATA_DIR"), dataDir]).toEqual(["`./data`", `${process.cwd()}/data`])
})
