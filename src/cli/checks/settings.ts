import { ConfigProvider, Effect, Layer, Result } from "effect"
import { AppConfig } from "../../config.ts"
import { type Finding, fail, ok } from "./Finding.ts"

const name = "settings"

const read = (env: Readonly<Record<string, string>>) =>
  Effect.result(
    Effect.scoped(Layer.build(AppConfig.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))))))
  )

/**
 * Reads the settings and names each bad one. The other checks go on with the defaults in their place; undefined when even that
 * does not work.
 */
export const checkSettings = Effect.fn("doctor.settings")(function* (env: Readonly<Record<string, string>>) {
  const all = yield* read(env)
  if (Result.isSuccess(all)) {
    const findings: ReadonlyArray<Finding> = [ok(name, "all readable")]
    return { findings, config: all.success }
  }
  const faults = all.failure.message.split("\n")
  const findings = faults.map((fault) => fail(name, fault, "correct or remove this variable"))
  const bad = new Set(faults.map((fault) => fault.slice(0, fault.indexOf(":"))))
  const rest = yield* read(Object.fromEntries(Object.entries(env).filter(([variable]) => !bad.has(variable))))
  return { findings, config: Result.isSuccess(rest) ? rest.success : undefined }
})
