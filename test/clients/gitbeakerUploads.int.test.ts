import { Gitlab } from "@gitbeaker/rest"
import { expect, it } from "vitest"
import { rootToken } from "#test/support/service.ts"
import { useUploads } from "../uploads/useUploads.ts"

const { newProject, service } = useUploads()
const client = () => new Gitlab({ host: service.url, token: rootToken })

it("a client uploads a file, finds it, reads it, and removes it", async () => {
  const { ProjectMarkdownUploads, Projects } = client()
  const id = await newProject("client")
  const file = { content: new Blob(["content"]), filename: "notes 1.txt" }
  const made = await Projects.uploadForReference(id, file)
  const [, , secret = ""] = made.url.split("/")
  expect(made).toEqual({
    id: expect.any(Number),
    alt: "notes_1.txt",
    url: `/uploads/${secret}/notes_1.txt`,
    full_path: `/-/project/${id}/uploads/${secret}/notes_1.txt`,
    markdown: `[notes_1.txt](/uploads/${secret}/notes_1.txt)`
  })
  const other = await ProjectMarkdownUploads.create(id, file)
  const listed = await ProjectMarkdownUploads.all(id)
  expect([listed].flat().map((one) => one.id)).toEqual([Object(other).id, Object(made).id])
  const content = await ProjectMarkdownUploads.download(id, secret, "notes_1.txt")
  expect(await new Response(Object(content)).text()).toBe("content")
  await ProjectMarkdownUploads.remove(id, secret, "notes_1.txt")
  await ProjectMarkdownUploads.remove(id, Object(other).id)
  expect(await ProjectMarkdownUploads.all(id)).toEqual([])
})
