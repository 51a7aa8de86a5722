import { describe, expect, it } from "vitest"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { useService } from "#test/support/service.ts"

const service = useService()

const run = (statement: string) => service.run(Sql.use(({ client }) => query(() => client.unsafe(statement))))

/** Lets the next `times` appends fail with this SQL state. */
const failAppends = async (state: string, times: number): Promise<void> => {
  await run(`
    drop table if exists failing cascade;
    create table failing (left_over bigserial);
    create or replace function fail_append() returns trigger language plpgsql as $$
      begin
        if nextval('failing_left_over_seq') <= ${times} then raise exception 'out of order' using errcode = '${state}'; end if;
        return null;
      end
    $$;
    create or replace trigger fail_append before insert on chronoforge.events execute function fail_append()`)
}

const change = (note: string) => service.request("PUT", "/users/1", { json: { note } })
const currentNote = async () => {
  const { body } = await service.request("GET", "/users/1")
  return typeof body === "object" && body !== null && "note" in body ? body.note : undefined
}

describe("a database that", () => {
  it.each([
    ["has no disk left", "53100", "there is no space left on the disk of the database"],
    ["has no memory left", "53200", "the database has too little memory"],
    ["cannot write", "58030", "the database cannot read or write its files"]
  ])("%s: a change is refused in words, and made when it can be", async (_, state, reason) => {
    await change("before")
    await failAppends(state, 1_000)
    const { body, headers, status } = await change(state)
    expect([status, body, headers.get("retry-after")]).toEqual([503, { message: `503 Service Unavailable - ${reason}` }, "10"])
    expect(await currentNote()).toBe("before")
    await failAppends(state, 0)
    expect([(await change(state)).status, await currentNote()]).toEqual([200, state])
  })

  it.each([
    ["too many connections", "53300"],
    ["a start that is not over", "57P03"]
  ])("has %s: a change is tried again for a while, then refused", async (_, state) => {
    await failAppends(state, 1_000)
    const { body, headers, status } = await change(state)
    expect([status, body, headers.get("retry-after")]).toEqual([503, { message: "503 Service Unavailable" }, "1"])
    await failAppends(state, 3)
    expect([(await change(state)).status, await currentNote()]).toEqual([200, state])
  })

  it.each(["40001", "40P01"])("was in the way of itself (%s): a change is tried again", async (state) => {
    await failAppends(state, 3)
    expect([(await change(state)).status, await currentNote()]).toEqual([200, state])
  })
})
