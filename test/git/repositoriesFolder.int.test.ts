import { chmod, mkdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { ConfigProvider, Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { AppConfig } from "#src/config.ts"
import { Repositories } from "#src/git/Repositories.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()
const repositories = () => join(folder(), "repositories")
const permissions = async () => (await stat(repositories())).mode & 0o777

const create = (id: number) => {
  const environment = ConfigProvider.layer(ConfigProvider.fromEnv({ env: { DATA_DIR: folder() } }))
  const layer = Layer.provide(Repositories.layer, Layer.provide(AppConfig.layer, environment))
  return Effect.runPromise(
    Effect.provide(
      Effect.flatMap(Repositories, (all) => all.create(id, "main")),
      layer
    )
  )
}

it("only the user of the service may enter the folder of the repositories", async () => {
  await create(1)
  expect(await permissions()).toBe(0o700)
})

it("others who could are shut out at the next start", async () => {
  await mkdir(repositories(), { recursive: true })
  await chmod(repositories(), 0o755)
  await create(2)
  expect(await permissions()).toBe(0o700)
})
