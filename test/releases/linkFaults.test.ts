import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { type Command, releaseAggregate, type State } from "#src/releases/aggregate.ts"
import type { Link } from "#src/releases/events.ts"
import { linkFaults } from "#src/releases/faults.ts"
import { createOf, link, otherLink, presentState } from "./samples.ts"

const faultsOf = (changes: Partial<Link>, others: ReadonlyArray<Link> = []) => {
  const judged = { ...otherLink, ...changes }
  return linkFaults(judged, [...others, judged])
}
const blank = (name: string) => `${name} can't be blank`
const taken = (name: string) => `${name} has already been taken`
const tooLong = (name: string, max: number) => `${name} is too long (maximum is ${max} characters)`
const badUrl = "Url must be a valid URL with http, https or ftp"
const badPath = "Filepath is in an invalid format"

describe("what is wrong with a link", () => {
  it.each<[name: string, faults: ReadonlyArray<string>]>([
    ["a", []],
    ["é".repeat(255), []],
    ["", [blank("Name")]],
    [" \n", [blank("Name")]],
    ["n".repeat(256), [tooLong("Name", 255)]]
  ])("with the name %j", (name, faults) => {
    expect(faultsOf({ name })).toEqual(faults)
  })

  it.each<[url: string, faults: ReadonlyArray<string>]>([
    ["http://example.com", []],
    ["https://example.com:8443/a?b=c#d", []],
    ["HTTPS://EXAMPLE.COM/a", []],
    ["ftp://example.com/a", []],
    ["http://127.0.0.1/a", []],
    ["https://example.com/é ☃", []],
    ["", [blank("Url")]],
    [" ", [blank("Url")]],
    ["example.com/a", [badUrl]],
    ["/a", [badUrl]],
    ["http:/example.com", [badUrl]],
    ["http://", [badUrl]],
    ["https:example.com", [badUrl]],
    ["file:///etc/passwd", [badUrl]],
    ["javascript:alert(1)", [badUrl]],
    ["ssh://example.com", [badUrl]],
    ["mailto:a@example.com", [badUrl]],
    ["https://example.com/a\nb", [badUrl]],
    ["https://\t/example.com", [badUrl]],
    ["https://example.com/\u007f", [badUrl]],
    [`https://example.com/${"a".repeat(2_028)}`, []],
    [`https://example.com/${"a".repeat(2_029)}`, [tooLong("Url", 2_048)]]
  ])("with the address %j", (url, faults) => {
    expect(faultsOf({ url })).toEqual(faults)
  })

  it.each<[path: string | null, faults: ReadonlyArray<string>]>([
    [null, []],
    ["/abc", []],
    ["/a.b", []],
    ["/bin/tool-1.0_x86", []],
    ["/-/a", []],
    ["/a/b", []],
    ["/...a", []],
    [`/${"a".repeat(127)}`, []],
    [`/${"a".repeat(128)}`, [tooLong("Filepath", 128)]],
    ["", [badPath]],
    ["/", [badPath]],
    ["/ab", [badPath]],
    ["abc", [badPath]],
    ["abc/def", [badPath]],
    ["//abc", [badPath]],
    ["/abc//def", [badPath]],
    ["/abc/", [badPath]],
    ["/abc-", [badPath]],
    ["/abc.", [badPath]],
    ["/abc_", [badPath]],
    ["/a b", [badPath]],
    ["/a+bc", [badPath]],
    ["/bé", [badPath]],
    ["/abc\n", [badPath]],
    [`abc${"a".repeat(128)}`, [badPath, tooLong("Filepath", 128)]]
  ])("with the path %j", (path, faults) => {
    expect(faultsOf({ path })).toEqual(faults)
  })

  it("names, addresses and paths are unique, each by itself, and none needs a path", () => {
    expect(faultsOf({ name: link.name }, [link])).toEqual([taken("Name")])
    expect(faultsOf({ url: link.url }, [link])).toEqual([taken("Url")])
    expect(faultsOf({ path: link.path }, [link])).toEqual([taken("Filepath")])
    expect(faultsOf({ ...link, id: 2 }, [link])).toEqual([taken("Name"), taken("Url"), taken("Filepath")])
    expect(faultsOf({ name: "tool", url: `${link.url}/`, path: "/bin/Tool" }, [link])).toEqual([])
    expect(faultsOf({}, [{ ...link, path: null }])).toEqual([])
    expect(linkFaults(link, [link, otherLink])).toEqual([])
  })

  it("is said all at once", () => {
    expect(faultsOf({ name: "", url: "a", path: "b" })).toEqual([blank("Name"), badUrl, badPath])
  })
})

describe("a link that is wrong is refused", () => {
  const wrong = { ...otherLink, name: link.name }
  const sentences = [taken("Name")]
  it.each<[string, Command, State]>([
    ["with a new release", createOf({ links: [link, wrong] }), undefined],
    ["as a new one", { _tag: "AddLink", by: 5, link: wrong }, presentState],
    [
      "as a changed one",
      { _tag: "ChangeLink", by: 5, id: 2, changes: { name: link.name } },
      { ...presentState, links: [link, otherLink] }
    ]
  ])("%s, in sentences that are said once", (_, command, state) => {
    expect(releaseAggregate.decide(command, state)).toMatchObject(Result.fail({ sentences }))
  })
})
