import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, freshDatabase } from "#test/support/database.ts"
import { field } from "#test/support/exactly.ts"
import { NotStarted, serveProcess } from "#test/support/processes/serveProcess.ts"
import { rootToken, send } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"
import packageJson from "../../package.json" with { type: "json" }

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

describe("npm start", () => {
  const scope = Scope.makeUnsafe()
  let [folder, database] = ["", ""]
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "chronoforge-start-"))
    database = await Effect.runPromise(Scope.provide(freshDatabase(), scope))
  })
  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(folder, { recursive: true, force: true })
  })

  const refusal = async (env: Readonly<Record<string, string>>) => {
    const started = await serveProcess(env).catch((error: unknown) => error)
    return started instanceof NotStarted ? [started.exit, started.output] : started
  }

  it("prints where it listens, where the token of root is, and a line to try; the token is its owner's alone", async () => {
    const service = await serveProcess({ DATABASE_URL: database, DATA_DIR: folder, ROOT_TOKEN: "" })
    const token = join(folder, "root-token")
    expect(service.output).toEqual([
      `Chronoforge listens at ${service.url}/api/v4, its reference is at ${service.url}/-/docs`,
      `The token of root is in ${token}`,
      `Try it: curl --header "PRIVATE-TOKEN: $(cat ${token})" ${service.url}/api/v4/user`
    ])
    expect(((await stat(token)).mode & 0o777).toString(8)).toBe("600")
    expect(await service.end("SIGINT")).toBe(0)
  })

  it("says which tokens of root earlier starts made still work, and that its own was revoked", async () => {
    const data = { DATABASE_URL: database, DATA_DIR: folder }
    const first = { ROOT_TOKEN: "the-first-token-of-root" }
    const second = { ROOT_TOKEN: "the-second-token-of-root" }
    const before = await serveProcess({ ...data, ...first })
    const self = await before.request("GET", "/personal_access_tokens/self", { token: first.ROOT_TOKEN })
    await before.end("SIGTERM")
    const service = await serveProcess({ ...data, ...second })
    await until(() => service.output.length > 3)
    expect(service.output.slice(1, 2)).toEqual(["The token of root is the value of ROOT_TOKEN"])
    expect(service.output.join("\n")).toMatch(
      new RegExp(`Tokens of root that earlier starts made still work: (\\d+, )*${field(self.body, "id")}\\. If they should not: `)
    )
    await service.request("DELETE", "/personal_access_tokens/self", { token: second.ROOT_TOKEN })
    await service.end("SIGTERM")
    const again = await serveProcess({ ...data, ...second })
    await until(() => again.output.length > 1)
    expect(again.output.slice(0, 2)).toEqual([
      `Chronoforge listens at ${again.url}/api/v4, its reference is at ${again.url}/-/docs`,
      "The token of root, ROOT_TOKEN, was revoked. Another one: npx chronoforge token create root"
    ])
    await again.end("SIGTERM")
  })

  it("warns of a log whose last event lies in the future", async () => {
    await Effect.runPromise(ask(database, "update chronoforge.log_head set at = at + 86400000"))
    const service = await serveProcess({ DATABASE_URL: database, DATA_DIR: folder })
    await until(() => service.output.some((line) => line.includes('"level":"warn","message":"Clock: ')))
    expect(service.output.join("\n")).toMatch(
      /Clock: the log's last event is 86\d{3} s in the future: until then time stands still in it: set up time synchronisation/
    )
    await service.end("SIGTERM")
    await Effect.runPromise(ask(database, "update chronoforge.log_head set at = at - 86400000"))
  })

  it("arms what gives memory back after a busy time", async () => {
    const env = { DATABASE_URL: database, DATA_DIR: folder, LOG_LEVEL: "debug" }
    const path = `${dirname(process.execPath)}:${process.env.PATH}`
    const service = await serveProcess({ ...env, PATH: path }, ["/bin/sh", "-c", packageJson.scripts.start])
    await service.request("POST", "/projects", { json: { name: "large" } })
    const json = { unknown: "x".repeat(15 * 1024 * 1024) }
    const busy = async () => {
      for (let sent = 0; sent < 8; sent++) {
        const { status } = await service.request("POST", "/projects/root%2Flarge/repository/commits", { json })
        expect(status).toBe(400)
      }
    }
    /** How many mebibytes it gave back. */
    const told = () => {
      const [, high, low] = /Gave memory back: (\d+) MiB before, (\d+) MiB after/.exec(service.output.join("\n")) ?? []
      return Number(high) - Number(low)
    }
    // What the engine keeps of one busy time is up to it.
    await until(async () => {
      await busy()
      return expect
        .poll(told, { timeout: 6_000 })
        .toBeGreaterThan(0)
        .then(
          () => true,
          () => false
        )
    })
    expect(await service.end("SIGTERM")).toBe(0)
  })

  it("finishes the requests that run when it is told to stop", async () => {
    const service = await serveProcess({ DATABASE_URL: database, DATA_DIR: folder })
    // Passwords are digested slowly enough for the signal to come in between.
    const creating = service.request("POST", "/users", {
      json: { username: "slow", name: "Slow", email: "slow@example.com", password: "long enough to be taken" }
    })
    const reading = service.request("GET", "/user")
    expect((await reading).status).toBe(200)
    const ended = service.end("SIGTERM")
    expect((await creating).status).toBe(201)
    expect(await ended).toBe(0)
  })

  it("is not ready any more before it stops, for as long as it is told", async () => {
    const service = await serveProcess({ DATABASE_URL: database, DATA_DIR: folder, SHUTDOWN_DELAY: "2" })
    const ended = service.end("SIGTERM")
    const seen: Array<unknown> = []
    for (;;) {
      const { body, status } = await service.request("GET", "/-/readiness")
      if (status === 200) continue
      seen.push(body, (await service.request("GET", "/user")).status)
      break
    }
    const shutdown = { status: "failed", reason: "the service is stopping", millis: 0 }
    expect(seen).toEqual([{ status: "unavailable", checks: expect.objectContaining({ shutdown }) }, 200])
    expect(await ended).toBe(0)
  })

  it("stops in order when its terminal closes", async () => {
    const service = await serveProcess({ DATABASE_URL: database, DATA_DIR: folder })
    expect(await service.end("SIGHUP")).toBe(0)
  })

  it("refuses a git that is too old, and none", async () => {
    const programs = join(folder, "programs")
    await mkdir(programs)
    const start = () => refusal({ DATABASE_URL: database, DATA_DIR: folder, PATH: programs })
    const advice = "install git 2.38 or newer and put it on the PATH"
    expect(await start()).toEqual([3, [`git: spawn git ENOENT: ${advice}`]])
    await writeFile(join(programs, "git"), "#!/bin/sh\necho git version 2.37.1\n", { mode: 0o755 })
    expect(await start()).toEqual([3, [`git: 2.37.1 is older than 2.38: ${advice}`]])
  })

  it("names every bad setting, a line each, and nothing else", async () => {
    expect(
      await refusal({
        DATABASE_URL: database,
        PORT: "x",
        DATABASE_POOL_SIZE: "1",
        EXTERNAL_URL: "forge",
        LOG_FORMAT: "xml",
        TRUSTED_PROXIES: "loopback,10.0.0.300",
        FAILED_LOGIN_ATTEMPTS_UNLOCK_PERIOD_IN_MINUTES: "0",
        FEATURE_FLAGS: "mr_approved_filter, mr_approved",
        DEFAULT_BRANCH_PROTECTION: "5"
      })
    ).toEqual([
      3,
      [
        "PORT: Expected a whole number in plain digits",
        "EXTERNAL_URL: Expected an http or https URL",
        'LOG_FORMAT: Expected "auto" | "pretty" | "json"',
        "TRUSTED_PROXIES: Expected addresses, ranges such as 10.0.0.0/8 or fd00::/8, loopback or private, separated by commas; entry 2 is none of these",
        "FAILED_LOGIN_ATTEMPTS_UNLOCK_PERIOD_IN_MINUTES: Expected a value greater than or equal to 1",
        "DEFAULT_BRANCH_PROTECTION: Expected a value less than or equal to 4",
        "FEATURE_FLAGS: Expected some of mr_approved_filter, restrict_merge_status_recheck, separated by commas",
        "DATABASE_POOL_SIZE: Expected a value between 2 and 1000"
      ]
    ])
  })

  it.each([
    [{ PORT: "0x10" }, "PORT: Expected a whole number in plain digits"],
    [{ PORT: "1e3" }, "PORT: Expected a whole number in plain digits"],
    [{ PORT: " 8080 " }, "PORT: Expected a whole number in plain digits"],
    [{ CLIENT_IDLE_TIMEOUT: "2147484" }, "CLIENT_IDLE_TIMEOUT: Expected a value between 1 and 86400"],
    [{ DATABASE_POOL_SIZE: "100000" }, "DATABASE_POOL_SIZE: Expected a value between 2 and 1000"],
    [
      { PAGES_DOMAIN: "pages.example.com:99999" },
      "PAGES_DOMAIN: Expected a host such as pages.example.com, with or without port"
    ],
    [{ ROOT_TOKEN: "a-token-with-a-blank-behind " }, "ROOT_TOKEN: no header can carry blanks, or letters with accents"]
  ])("refuses what would not work: %j", async (env, message) => {
    expect(await refusal({ DATABASE_URL: database, DATA_DIR: folder, ...env })).toEqual([3, [message]])
  })

  it("logs nothing but JSON where that is asked for, from the start to the end, and when it cannot start", async () => {
    const env = { DATABASE_URL: database, DATA_DIR: folder, LOG_FORMAT: "json", LOG_LEVEL: "info", PORT: "0" }
    const lines: Array<string> = []
    const service = spawn(process.execPath, ["src/main.js", "serve"], {
      env: { PATH: process.env.PATH ?? "", HOST: "127.0.0.1", ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const exited = once(service, "exit")
    await new Promise<void>((resolve) => {
      const read = (line: string) => {
        lines.push(line)
        if (line.includes("Chronoforge listens")) resolve()
      }
      createInterface(service.stdout).on("line", read)
      createInterface(service.stderr).on("line", read)
    })
    const { url } = JSON.parse(lines.findLast((line) => line.includes("Chronoforge listens")) ?? "")
    const { origin } = new URL(url)
    const metrics = await (await fetch(`${origin}/-/metrics`)).text()
    service.kill("SIGTERM")
    expect(await exited).toEqual([0, null])
    const messages = lines.map((line) => JSON.parse(line))
    expect(messages.filter(({ message }) => message === "Chronoforge listens")).toEqual([
      {
        time: expect.any(String),
        level: "info",
        message: "Chronoforge listens",
        url: `${origin}/api/v4`,
        reference: `${origin}/-/docs`,
        root_secret: join(folder, "root-token")
      }
    ])
    expect(messages.at(-1)).toEqual({ time: expect.any(String), level: "info", message: "Chronoforge stops" })
    for (const name of ["repositories_disk_free_bytes", "processes", "database_connections", "database_statements"]) {
      expect(metrics).toMatch(new RegExp(`^chronoforge_${name}(\\{[^}]*\\})? \\d`, "m"))
    }
    const refused = await serveProcess({ DATABASE_URL: database, LOG_FORMAT: "json", PORT: "x" }).catch((error: unknown) => error)
    const output = refused instanceof NotStarted ? refused.output.map((line) => JSON.parse(line)) : refused
    expect(output).toEqual([
      { time: expect.any(String), level: "error", message: "PORT: Expected a whole number in plain digits" }
    ])
  })

  it("goes on where a full disk takes no lines of its log", async () => {
    const port = await freePort()
    const env = { PATH: process.env.PATH ?? "", HOST: "127.0.0.1", PORT: String(port), ROOT_TOKEN: rootToken }
    const service = spawn("/bin/sh", ["-c", 'exec "$0" src/main.js serve >/dev/full', process.execPath], {
      env: { ...env, DATABASE_URL: database, DATA_DIR: folder, LOG_LEVEL: "debug" },
      stdio: "ignore"
    })
    const url = `http://127.0.0.1:${port}`
    await until(() =>
      fetch(`${url}/-/readiness`).then(
        ({ ok }) => ok,
        () => false
      )
    )
    const statuses = []
    for (let time = 0; time < 3; time++) statuses.push((await send(url, "GET", "/version")).status)
    service.kill("SIGTERM")
    expect([statuses, await once(service, "exit")]).toEqual([
      [200, 200, 200],
      [0, null]
    ])
  })

  it("refuses a short key, and an address that links cannot begin with", async () => {
    const shortKey = { DATABASE_URL: database, SECRET_KEY: "fifteen letters" }
    expect(await refusal(shortKey)).toEqual([3, ["SECRET_KEY: Expected at least 16 characters"]])
    const badUrl = "EXTERNAL_URL: Expected a URL without query, fragment, name or password"
    for (const url of ["https://forge.example.com/?a=1", "https://forge.example.com/#a", "https://a:b@forge.example.com"]) {
      expect(await refusal({ DATABASE_URL: database, EXTERNAL_URL: url })).toEqual([3, [badUrl]])
    }
  })

  it("ends at once where DATA_DIR cannot be made", async () => {
    const why = "DATA_DIR /proc/x/y cannot be made: ENOENT: no such file or directory, mkdir '/proc/x'"
    expect(await refusal({ DATABASE_URL: database, DATA_DIR: "/proc/x/y" })).toEqual([3, [why]])
    expect(await refusal({ DATA_DIR: "/proc/x/y" })).toEqual([3, [why]])
  })

  it("refuses a log that ends before its read models do", async () => {
    await Effect.runPromise(ask(database, "update chronoforge.read_models set position = 1000 where name = 'keys'"))
    const [[head] = []] = await Effect.runPromise(ask(database, "select position from chronoforge.log_head"))
    expect(await refusal({ DATABASE_URL: database, DATA_DIR: folder })).toEqual([
      3,
      [
        `The event log ends at position ${head}, but read model keys was filled up to 1000: the log was truncated or replaced. ` +
          "Restore it, or use an empty database"
      ]
    ])
  })
})

describe("npm run dev", () => {
  it("stops with its service, also when it is told twice, as a terminal and npm do", async () => {
    const scope = Scope.makeUnsafe()
    const DATABASE_URL = await Effect.runPromise(Scope.provide(freshDatabase(), scope))
    const DATA_DIR = await mkdtemp(join(tmpdir(), "chronoforge-dev-"))
    const env = { PATH: process.env.PATH ?? "", PORT: "0", LOG_LEVEL: "warn", DATABASE_URL, DATA_DIR }
    const dev = spawn(process.execPath, ["scripts/dev.ts"], { env, stdio: ["ignore", "pipe", "inherit"] })
    const exited = once(dev, "exit")
    const url = await new Promise<string>((resolve) => {
      createInterface(dev.stdout).on("line", (line) => {
        const [, found] = /^Chronoforge listens at (\S+)\/api\/v4/.exec(line) ?? []
        if (found !== undefined) resolve(found)
      })
    })
    dev.kill("SIGINT")
    dev.kill("SIGINT")
    expect(await exited).toEqual([0, null])
    expect(await fetch(url).catch((error: Error) => error.message)).toBe("fetch failed")
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(DATA_DIR, { recursive: true, force: true })
  })
})
