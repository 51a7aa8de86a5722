import { readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { assert, describe, it } from "vitest"
import { chronoforge } from "./chronoforge.ts"
import { useInstallation } from "./useInstallation.ts"

const installation = useInstallation()
const { run, sql } = installation

describe("verify", () => {
  it("finds an untouched log to be in order", async () => {
    const { code, stdout } = await run("verify")
    const [counts, ...rest] = stdout.trim().split("\n")
    assert.match(counts ?? "", /^\d+ events in \d+ streams, [\d,]+ events\/s$/)
    assert.deepStrictEqual([code, rest], [0, ["no seals", "ok"]])
  })

  it("seals it and exports the seal", async () => {
    const file = join(installation.settings.DATA_DIR ?? "", "seals.jsonl")
    const { code, stdout } = await run("verify", "--seal", "--export", file, "--json")
    const [[head] = []] = await sql("select position from chronoforge.log_head")
    const { events_per_second: _, streams, ...found } = JSON.parse(stdout)
    assert.strictEqual(code, 0)
    assert.deepStrictEqual(found, { ok: true, events: head, position: head, seals: 1, sealed_position: head, faults: [] })
    assert.isAbove(streams, 1)
    const exported = JSON.parse(await readFile(file, "utf8"))
    const sealed = await sql("select position, encode(digest, 'hex'), at from chronoforge.seals")
    assert.deepStrictEqual([[exported.position, exported.digest, exported.at]], sealed)
    assert.strictEqual((await run("verify", "--against", file)).code, 0)
  })

  it("misses seals where there is a key that signed some", async () => {
    const [[position, digest, at, publicKey, signature] = []] = await sql(
      "select position, encode(digest, 'hex'), at, encode(public_key, 'hex'), encode(signature, 'hex') from chronoforge.seals"
    )
    await sql("truncate chronoforge.seals")
    const { code, stdout } = await run("verify")
    const [, title, expected, found, ...rest] = stdout.trimEnd().split("\n")
    assert.deepStrictEqual([code, title, found, rest], [1, "A seal does not hold: position 0", "  found     no seal", []])
    assert.match(expected ?? "", /^ {2}expected {2}seals, since there is the key [0-9a-f]{16} that signed some$/)
    await sql(`insert into chronoforge.seals (position, digest, at, public_key, signature)
      values (${position}, '\\x${digest}', ${at}, '\\x${publicKey}', '\\x${signature}')`)
    assert.strictEqual((await run("verify")).code, 0)
  })

  it("names the first broken link", async () => {
    await sql(
      "update chronoforge.events set metadata = replace(metadata, 'system:bootstrap', 'user:1') where stream = 'user-1' and revision = 0"
    )
    const [[position, hash] = []] = await sql(
      "select position, encode(hash, 'hex') from chronoforge.events where stream = 'user-1' and revision = 0"
    )
    const { code, stderr, stdout } = await run("verify")
    const [, title, expected, found, ...rest] = stdout.trimEnd().split("\n")
    assert.strictEqual(code, 1)
    assert.strictEqual(title, `The chain is broken: user-1, revision 0, position ${position}`)
    assert.match(expected ?? "", /^ {2}expected {2}hash [0-9a-f]{64}, over what is stored and the event before$/)
    assert.deepStrictEqual([found, rest], [`  found     hash ${hash}`, []])
    assert.notInclude(stderr, "ERROR")
  })

  it("names an event whose text is no JSON any more, and so does what has to read it", async () => {
    const where = "stream = 'user-1' and revision = 0"
    const [[position, text] = []] = await sql(`select position, metadata from chronoforge.events where ${where}`)
    await sql(`update chronoforge.events set metadata = '{' where ${where}`)
    const { code, stdout } = await run("verify")
    const [, title] = stdout.trimEnd().split("\n")
    assert.deepStrictEqual([code, title], [1, `The chain is broken: user-1, revision 0, position ${position}`])
    const history = await run("history", "user", "1")
    const damaged = `The event store is unavailable: the event at position ${position}, revision 0 of user-1, is damaged: run "chronoforge verify"`
    assert.deepStrictEqual([history.code, history.stdout, history.stderr.trim()], [3, "", damaged])
    await sql(`update chronoforge.events set metadata = '${String(text).replaceAll("'", "''")}' where ${where}`)
  })

  it("refuses a file that holds no seals", async () => {
    const { code, stderr } = await run("verify", "--against", "package.json")
    assert.deepStrictEqual([code, stderr.trim()], [3, `${resolve("package.json")}: line 1 is no seal`])
  })

  it("tells when the database is not there", async () => {
    const { code, stderr, stdout } = await chronoforge(["verify"], {
      ...installation.settings,
      DATABASE_URL: "postgres://127.0.0.1:1/none"
    })
    assert.deepStrictEqual([code, stdout, stderr], [3, "", "DATABASE_URL: cannot connect to 127.0.0.1:1: ECONNREFUSED\n"])
  })
})
