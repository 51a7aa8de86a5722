import { describe, expect, it } from "vitest"
import { altOf, isSecret, markdownOf, safeName, typeOf } from "#src/uploads/names.ts"
import { uploadPage } from "#src/uploads/pages.ts"
import { rangeOf } from "#src/uploads/ranges.ts"

describe("names under which files are kept", () => {
  it.each([
    ["dk.png", "dk.png"],
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\ada\\notes.txt", "notes.txt"],
    ["folder/", "folder"],
    ["a b(1)[2].txt", "a_b_1__2_.txt"],
    ["a\0b.txt", "a_b.txt"],
    ["a+b-c_d.tar.gz", "a+b-c_d.tar.gz"],
    ["übergröße.txt", "übergröße.txt"],
    ["..", "_.."],
    ["", "unnamed"],
    ["/", "unnamed"],
    ["%2e%2e%2f", "_2e_2e_2f"],
    ["\ud800.txt", "_.txt"],
    [".env", ".env"],
    [`${"a".repeat(5_000)}.png`, `${"a".repeat(251)}.png`],
    ["a".repeat(5_000), "a".repeat(255)],
    [`a.${"b".repeat(5_000)}`, `a.${"b".repeat(253)}`],
    [`${"é".repeat(5_000)}.png`, `${"é".repeat(125)}.png`]
  ])("%j", (sent, name) => {
    expect(safeName(sent)).toBe(name)
  })
})

describe("what texts and browsers are told of a file", () => {
  it.each([
    ["dk.png", "dk", "![dk](/u)", "image/png"],
    ["DK.JPEG", "DK", "![DK](/u)", "image/jpeg"],
    ["talk.mp4", "talk", "![talk](/u)", "video/mp4"],
    ["song.ogg", "song", "![song](/u)", "audio/ogg"],
    ["drawing.svg", "drawing", "![drawing](/u)", "application/octet-stream"],
    ["paper.pdf", "paper.pdf", "[paper.pdf](/u)", "application/pdf"],
    ["page.html", "page.html", "[page.html](/u)", "application/octet-stream"],
    ["notes.txt", "notes.txt", "[notes.txt](/u)", "application/octet-stream"],
    ["png", "png", "[png](/u)", "application/octet-stream"],
    [".png", ".png", "![.png](/u)", "image/png"],
    ["a.constructor", "a.constructor", "[a.constructor](/u)", "application/octet-stream"]
  ])("%s", (name, alt, markdown, type) => {
    expect([altOf(name), markdownOf(name, "/u"), typeOf(name)]).toEqual([alt, markdown, type])
  })
})

it.each([
  ["66dbcd21ec5d24ed6ea225176098d52b", true],
  ["66DBCD21EC5D24ED6EA225176098D52B", false],
  ["66dbcd21ec5d24ed6ea2", true],
  ["66dbcd21e", false],
  ["66dbcd21ec5d24ed6ea225176098d52b66dbcd21e", false],
  ["..", false]
])("%s is a secret: %s", (text, is) => {
  expect(isSecret(text)).toBe(is)
})

describe("ranges of ten bytes", () => {
  it.each<[string | undefined, object | null | undefined]>([
    [undefined, undefined],
    ["bytes=0-3", { first: 0, last: 3 }],
    ["bytes=4-", { first: 4, last: 9 }],
    ["bytes=-3", { first: 7, last: 9 }],
    ["bytes=-30", { first: 0, last: 9 }],
    ["bytes=9-30", { first: 9, last: 9 }],
    ["Bytes = 1 - 2", { first: 1, last: 2 }],
    ["bytes=10-", null],
    ["bytes=-0", null],
    ["bytes=3-2", undefined],
    ["bytes=-", undefined],
    ["bytes=0-1,3-4", undefined],
    ["lines=0-3", undefined]
  ])("%s", (header, range) => {
    expect(rangeOf(header, 10)).toEqual(range)
  })

  it("an empty file has none", () => {
    expect([rangeOf("bytes=0-", 0), rangeOf("bytes=-1", 0)]).toEqual([null, null])
  })
})

describe("addresses that texts tell", () => {
  const secret = "66dbcd21ec5d24ed6ea225176098d52b"
  it.each([
    [`/-/project/7/uploads/${secret}/dk.png`, `/api/v4/projects/7/uploads/${secret}/dk.png`],
    [
      `/group/tool/uploads/${secret}/dk.png?private_token=t`,
      `/api/v4/projects/group%2Ftool/uploads/${secret}/dk.png?private_token=t`
    ],
    [`/a/b/uploads/uploads/${secret}/d%20k.png`, `/api/v4/projects/a%2Fb%2Fuploads/uploads/${secret}/d%20k.png`],
    [`/tool/uploads/${secret}/dk.png`, undefined],
    [`/-/project/tool/uploads/${secret}/dk.png`, undefined],
    [`/api/v4/projects/7/uploads/${secret}/dk.png`, undefined],
    [`/group/tool/uploads/${secret}/a/dk.png`, undefined],
    [`/group/tool/uploads/${secret}/`, undefined],
    ["/group/tool/uploads/short/dk.png", undefined],
    [`/?/group/tool/uploads/${secret}/dk.png`, undefined]
  ])("%s", (url, path) => {
    expect(uploadPage(url)).toBe(path)
  })
})
