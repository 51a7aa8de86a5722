import { readFileSync } from "node:fs"
import { Schema } from "effect"
import { Yaml } from "effect/encoding"
import { assert, describe, it } from "vitest"

const Text = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])
const Service = Schema.Struct({
  image: Schema.String,
  build: Schema.optionalKey(Schema.String),
  environment: Schema.Record(Schema.String, Text),
  ports: Schema.optionalKey(Schema.Array(Schema.String)),
  volumes: Schema.Array(Schema.String),
  networks: Schema.Array(Schema.String),
  healthcheck: Schema.optionalKey(
    Schema.Struct({ test: Schema.Array(Schema.String), interval: Schema.String, timeout: Schema.String, retries: Schema.Finite })
  ),
  depends_on: Schema.optionalKey(Schema.Record(Schema.String, Schema.Struct({ condition: Schema.String })))
})
const Compose = Schema.Struct({
  name: Schema.String,
  services: Schema.Struct({ eventstore: Service, postgres: Service, chronoforge: Service }),
  networks: Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Unknown)),
  volumes: Schema.Record(Schema.String, Schema.Unknown)
})

const root = new URL("../../", import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, root), "utf8")

const compose = Schema.decodeUnknownSync(Compose)(Yaml.parse(read("docker-compose.yml")))
const { chronoforge, eventstore, postgres } = compose.services
/** The client of Postgres reads its own variable. */
const settings = new Set([
  ...(read("src/config.ts").match(/"[A-Z][A-Z_]+"/g) ?? []).map((quoted) => quoted.slice(1, -1)),
  "PGPASSWORD"
])

const setting = ({ environment }: typeof Service.Type, name: string): string => String(environment[name])

/** As Compose reads it: from the environment, else loopback. */
const published = `\${PUBLISH:-127.0.0.1:8080}:8080`

describe("docker-compose.yml", () => {
  it("sets only settings that the service knows", () => {
    assert.deepStrictEqual(
      Object.keys(chronoforge.environment).filter((name) => !settings.has(name)),
      []
    )
  })

  it("connects the service to both databases by their names, and waits until they are well", () => {
    assert.strictEqual(setting(chronoforge, "DATABASE_URL"), "postgres://chronoforge@postgres:5432/chronoforge")
    assert.strictEqual(setting(chronoforge, "EVENTSTORE_URL"), "esdb://eventstore:2113?tls=false")
    assert.deepStrictEqual(chronoforge.depends_on, {
      eventstore: { condition: "service_healthy" },
      postgres: { condition: "service_healthy" }
    })
  })

  it("names every image with its version", () => {
    assert.deepStrictEqual(
      [eventstore.image, postgres.image, chronoforge.image].filter((image) => !/^[\w/-]+:\d+\.\d+[\w.-]*$/.test(image)),
      []
    )
  })

  it("checks the health of what it starts", () => {
    assert.deepStrictEqual(eventstore.healthcheck?.test.slice(0, 2), ["CMD", "curl"])
    assert.deepStrictEqual(postgres.healthcheck?.test.slice(0, 2), ["CMD", "pg_isready"])
    assert.match(read("Dockerfile"), /^HEALTHCHECK .*\\\n.*\/-\/readiness/m)
  })

  it("raises the append limit to the most that the event database accepts", () => {
    assert.strictEqual(setting(eventstore, "KURRENTDB_MAX_APPEND_SIZE"), "16767216")
  })

  it("publishes the service alone, on loopback unless told otherwise", () => {
    assert.deepStrictEqual([eventstore.ports, postgres.ports, chronoforge.ports], [undefined, undefined, [published]])
  })

  it("keeps the databases in a network without a way out", () => {
    assert.deepStrictEqual([eventstore.networks, postgres.networks], [["internal"], ["internal"]])
    assert.deepStrictEqual(compose.networks, { internal: { internal: true }, edge: {} })
  })

  it("holds no secret, and refuses to start without one", () => {
    assert.match(setting(postgres, "POSTGRES_PASSWORD"), /^\$\{POSTGRES_PASSWORD:\?/)
    assert.match(setting(chronoforge, "SECRET_KEY"), /^\$\{SECRET_KEY:\?/)
    assert.match(setting(chronoforge, "ROOT_TOKEN"), /^\$\{ROOT_TOKEN:-\}$/)
  })

  it("puts no secret into a URL, where its characters would have a meaning", () => {
    const name = "$" + "{POSTGRES_PASSWORD"
    const { environment } = chronoforge
    assert.deepStrictEqual(
      Object.entries(environment).filter(([, value]) => String(value).includes(name)),
      [["PGPASSWORD", `${name}}`]]
    )
  })

  it("declares every volume that it mounts", () => {
    const mounted = [eventstore, postgres, chronoforge].flatMap(({ volumes }) => volumes.map((volume) => volume.split(":")[0]))
    assert.deepStrictEqual(mounted.toSorted(), Object.keys(compose.volumes).toSorted())
  })
})
