import { beforeAll, expect, it } from "vitest"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { field } from "#test/support/exactly.ts"
import { useService } from "#test/support/service.ts"
import { opened } from "../samples.ts"
import { append } from "./append.ts"

const service = useService()
const count = 6_000
const start = Date.parse("2030-01-01T00:00:00Z")

const timeOf = (place: number): string => new Date(start + place * 1000).toISOString()

/** Adds rows like those that are there, with other values in some columns for each `i`. */
const copies = (table: string, values: Readonly<Record<string, string>>): string => {
  const kept = Object.keys(values).map((name) => `'${name}'`)
  return `do $$ begin execute (
    select format('insert into rm_merge_requests.${table} (${Object.keys(values).join(", ")}, %1$s)
      select ${Object.values(values).join(", ")}, %1$s from rm_merge_requests.${table}, generate_series(1, ${count}) i', string_agg(quote_ident(column_name), ', '))
    from information_schema.columns where table_schema = 'rm_merge_requests' and table_name = '${table}'
      and column_name not in (${kept.join(", ")}) and is_generated = 'NEVER'
  ); end $$`
}

beforeAll(async () => {
  const { body } = await service.request("POST", "/projects", { json: { name: "busy" } })
  const projectId = Number(field(body, "id"))
  await append(service, { projectId, iid: 1_000_000 }, [{ ...opened, id: 1_000_000, source: { projectId, branch: "topic" } }])
  const key = { id: "i", iid: "i" }
  const times = { created_at: `${start} - i * 1000`, updated_at: `${start} + i * 1000` }
  for (const statement of [copies("texts", key), copies("merge_requests", { ...key, ...times })])
    await service.run(Sql.use(({ client }) => query(() => client.unsafe(statement))))
})

const list = async (asked: Record<string, string>) => {
  const defaults = { scope: "all", order_by: "updated_at", sort: "asc", per_page: "3" }
  const { body, headers } = await service.request("GET", "/merge_requests", { query: { ...defaults, ...asked } })
  return { iids: [body].flat().map((row) => field(row, "iid")), total: headers.get("x-total") }
}

it("few within bounds are found, and many", async () => {
  expect(await list({ updated_after: timeOf(5_998) })).toEqual({ iids: [5_998, 5_999, 6_000], total: "3" })
  expect(await list({ updated_after: timeOf(1), page: "2" })).toEqual({ iids: [4, 5, 6], total: "6000" })
  expect(await list({ updated_after: timeOf(1), page: "1900" })).toEqual({ iids: [5_698, 5_699, 5_700], total: "6000" })
  expect(await list({ updated_after: timeOf(999), updated_before: timeOf(1_001), sort: "desc" })).toEqual({
    iids: [1_001, 1_000, 999],
    total: "3"
  })
  const between = { created_after: timeOf(-30), created_before: timeOf(-10), order_by: "created_at" }
  expect(await list(between)).toEqual({ iids: [30, 29, 28], total: "21" })
  expect(await list({ created_after: timeOf(-5_999), updated_before: timeOf(5_500), sort: "desc", page: "1800" })).toEqual({
    iids: [103, 102, 101],
    total: "5500"
  })
  expect(await list({ updated_after: timeOf(6_001) })).toEqual({ iids: [], total: "0" })
})
