import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { checkEventStore } from "#src/cli/checks/eventStore.ts"
import { AppConfig } from "#src/config.ts"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { listening } from "#test/support/processes/listening.ts"

/** A server that answers these paths with JSON and the others with 401; its port. */
const serving = (answers: Readonly<Record<string, unknown>>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((request, response) => {
        const answer = answers[request.url ?? ""]
        response.writeHead(answer === undefined ? 401 : 200, { "content-type": "application/json", connection: "close" })
        response.end(JSON.stringify(answer ?? {}))
      })
      return { port: await listening(server), close: () => server.close() }
    }),
    ({ close }) => Effect.sync(close)
  )

const check = (url: string) =>
  Effect.map(checkEventStore, (findings) => findings.map(({ detail, status }) => `${status} ${detail}`)).pipe(
    Effect.provide(
      Layer.provide(
        Layer.merge(layerMemory, AppConfig.layer),
        ConfigProvider.layer(ConfigProvider.fromEnv({ env: { EVENTSTORE_URL: url } }))
      )
    )
  )

const answersWith = (limit: string) => ({
  "/info": { dbVersion: "25.1.0" },
  "/info/options": [
    { name: "Insecure", value: "True", possibleValues: null },
    { name: "MaxAppendSize", value: limit, possibleValues: null }
  ]
})

describe("the append limit of an event database", () => {
  const cells: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>, ReadonlyArray<string>]> = [
    [
      "large enough",
      answersWith("16767216"),
      ["ok EventStoreDB, version 25.1.0, ends at position 0", "ok takes appends of 16767216 bytes"]
    ],
    [
      "the default",
      answersWith("1048576"),
      [
        "ok EventStoreDB, version 25.1.0, ends at position 0",
        "warn takes appends of 1048576 bytes; a long description needs up to 16 MiB"
      ]
    ],
    [
      "not told",
      {},
      ["ok EventStoreDB, version unknown, ends at position 0", "warn does not tell its append limit, which is 1 MiB unless set"]
    ]
  ]
  for (const [name, answers, expected] of cells) {
    it.live(name, () =>
      Effect.gen(function* () {
        const { port } = yield* serving(answers)
        assert.deepStrictEqual(yield* check(`esdb://admin:changeit@127.0.0.1:${port}?tls=false`), expected)
      }).pipe(Effect.scoped)
    )
  }

  it.live("none, where the log is in Postgres", () =>
    Effect.map(check(""), (findings) => assert.deepStrictEqual(findings, ["ok Postgres, ends at position 0, no append limit"]))
  )
})
