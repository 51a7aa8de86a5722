import { expect, it } from "vitest"
import { picked } from "#test/support/exactly.ts"
import { useMergeRequests } from "./useMergeRequests.ts"

const { get, newProject, open, pathOf, put, service } = useMergeRequests()
const { request } = service
const keysOf = (body: unknown) => Object.keys(Object(body))

it("shows title and description as HTML to who asks for it alone", async () => {
  const id = await newProject("html")
  const title = "Add *a* <b> of https://a.b/"
  await open(id, { title, description: "*a* <script>b</script>\n\n- [c](javascript:d)" })
  expect(keysOf((await get(id, 1)).body).filter((key) => key.endsWith("_html"))).toEqual([])
  const { body } = await request("GET", pathOf(id, 1), { query: { render_html: "true" } })
  const link = '<a href="https://a.b/" rel="nofollow noreferrer noopener" target="_blank">https://a.b/</a>'
  expect(picked(body, "title", "title_html", "description_html")).toEqual({
    title,
    title_html: `Add *a* &lt;b&gt; of ${link}`,
    description_html:
      '<p dir="auto"><em>a</em> &lt;script&gt;b&lt;/script&gt;</p>\n<ul dir="auto">\n<li>[c](javascript:d)</li>\n</ul>'
  })
  expect(keysOf(body).slice(12, 16)).toEqual(["closed_at", "title_html", "description_html", "target_branch"])
})

it("shows no description as an empty text", async () => {
  const id = await newProject("no-html")
  await open(id)
  const read = () => request("GET", pathOf(id, 1), { query: { render_html: "1" } })
  expect(picked((await read()).body, "description", "description_html")).toEqual({ description: null, description_html: "" })
  await put(id, 1, { description: "" })
  expect(picked((await read()).body, "description", "description_html")).toEqual({ description: "", description_html: "" })
})
