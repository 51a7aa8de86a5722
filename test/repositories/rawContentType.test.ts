import { expect, it } from "vitest"
import { rawType, sniffedBytes } from "#src/repositories/rawContentType.ts"

const text = "text/plain; charset=utf-8"
const bytes = (latin1: string) => Buffer.from(latin1, "latin1")

it.each([
  ["nothing", bytes(""), text, "inline"],
  ["text", Buffer.from("Grüße\n"), text, "inline"],
  ["a page, which is shown as text", bytes("<html><script>alert(1)</script>"), text, "inline"],
  ["a drawing that may hold scripts", bytes("<svg onload='alert(1)'>"), text, "inline"],
  ["Latin-1", bytes("caf\xe9\n"), "text/plain", "inline"],
  ["an image", bytes("\x89PNG\r\n\x1a\n\0\0"), "image/png", "inline"],
  ["an animation", bytes("GIF89a\0\0"), "image/gif", "inline"],
  ["a photograph", bytes("\xff\xd8\xff\xe0\0"), "image/jpeg", "inline"],
  ["a document", bytes("%PDF-1.7\n"), "application/pdf", "inline"],
  ["a film", bytes("\0\0\0\x18ftypmp42"), "video/mp4", "inline"],
  ["music", bytes("ID3\x04\0"), "audio/mpeg", "inline"],
  ["a program", bytes("\x7fELF\0\0"), "application/octet-stream", "attachment"]
])("%s", (_, content, contentType, disposition) => {
  expect(rawType(content, content.length)).toEqual({ contentType, disposition })
})

it("a long text may be cut within a character", () => {
  for (const cut of [0, 1, 2, 3]) {
    const content = Buffer.from(`${"x".repeat(sniffedBytes - cut)}${"\u{1f600}".repeat(9)}`)
    expect(rawType(content, content.length).contentType).toBe(text)
    expect(rawType(content.subarray(0, sniffedBytes), content.length).contentType).toBe(text)
  }
})
