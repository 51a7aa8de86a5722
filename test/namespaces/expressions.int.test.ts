import { beforeAll, describe, expect, it } from "vitest"
import { namespaceRole } from "#projections/namespaces/access.ts"
import { namespaceByPath, namespaceName, namespacePath } from "#projections/namespaces/expressions.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { field } from "#test/support/exactly.ts"
import { useGroups } from "../groups/useGroups.ts"

const { service, create, join, joinUntil, userId } = useGroups()

/** The value of an SQL expression of `$1` and `$2`. */
const evaluate = async (expression: string, ...values: ReadonlyArray<string | number | null>) => {
  const [row] = await service.run(
    Sql.use(({ client }) => query(() => client.unsafe(`select ${expression} as value`, [...values])))
  )
  return row?.value
}

let [top, middle, bottom, personal] = [0, 0, 0, 0]
beforeAll(async () => {
  top = await create("Top", { name: "The top" })
  middle = await create("middle", { name: "Middle", parent_id: top })
  bottom = await create("Bottom.1", { name: "Bottom", parent_id: middle })
  await join(top, userId("guest"), 10)
  await join(middle, userId("guest"), 40)
  await joinUntil(bottom, userId("guest"), 50, "2001-01-01")
  await joinUntil(bottom, userId("reporter"), 20, "2100-01-01")
  personal = Number(field((await service.request("GET", `/users/${userId("owner")}`)).body, "namespace_id"))
})

describe("expressions of namespaces", () => {
  it.each([
    ["what a member has", () => [userId("guest"), top], 10],
    ["the highest on the way up", () => [userId("guest"), bottom], 40],
    ["what has not ended", () => [userId("reporter"), bottom], 20],
    ["nothing from below", () => [userId("reporter"), middle], 0],
    ["nothing of a stranger", () => [userId("outsider"), bottom], 0],
    ["nothing of nobody", () => [null, top], 0],
    ["the owner's of a personal namespace", () => [userId("owner"), personal], 50],
    ["nothing of others in a personal namespace", () => [userId("guest"), personal], 0],
    ["nothing in no namespace", () => [userId("guest"), 999_999], 0]
  ] as const)("the role is %s", async (_, values, expected) => {
    expect(await evaluate(namespaceRole("$1::bigint", "$2::bigint"), ...values())).toBe(expected)
  })

  it("path and name are those of the parents with it", async () => {
    const both = async (id: number) => [
      await evaluate(namespacePath("$1::bigint"), id),
      await evaluate(namespaceName("$1::bigint"), id)
    ]
    expect(await both(top)).toEqual(["Top", "The top"])
    expect(await both(bottom)).toEqual(["Top/middle/Bottom.1", "The top / Middle / Bottom"])
    expect(await both(personal)).toEqual(["owner", "owner"])
    expect(await both(999_999)).toEqual([null, null])
  })

  it.each([
    ["top", () => top],
    ["TOP/Middle", () => middle],
    ["top/middle/bottom.1", () => bottom],
    ["Owner", () => personal],
    ["middle", () => null],
    ["top/owner", () => null],
    ["top/middle/bottom.1/more", () => null],
    ["/top", () => null],
    ["top/", () => null],
    ["", () => null]
  ])("the path %s leads to its namespace", async (path, expected) => {
    expect(await evaluate(namespaceByPath("$1::text"), path)).toBe(expected())
  })
})
