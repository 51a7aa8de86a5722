import { describe, expect, it } from "vitest"
import type { Command, IssuesFound } from "#src/mergeRequests/decisions/commands.ts"
import { addVersion, attributes, open, setAutoMerge, shaOf, stateBehind, version } from "../samples.ts"
import { cases, checking, closing, commands, newVersion, noted, noting, outcome, updating } from "./samples.ts"

describe("the issues to close", () => {
  const later = (...commands: ReadonlyArray<Command>) => outcome(noting, stateBehind(open, addVersion, ...commands))

  it("are noted once for the same texts and version", () => {
    expect(later()).toEqual(noted)
    expect(later(noting)).toEqual([])
    expect(later(noting, updating({ changes: { squash: true } }))).toEqual([])
  })

  it("are not those of other texts or versions", () => {
    for (const other of [{ title: "Other" }, { description: "Other" }, { headSha: shaOf("d") }, { headSha: undefined }]) {
      expect(outcome({ ...noting, ...other }, stateBehind(open, addVersion))).toEqual([])
    }
  })

  it("are to be found anew once the texts or the version are others, or it is opened again", () => {
    const again = (title: string) => updating({ changes: { title } })
    expect(later(noting, again("Other"), again(attributes.title))).toEqual(noted)
    expect(later(noting, closing, updating({ transition: "reopen" }))).toEqual(noted)
    const found = stateBehind(open, addVersion, noting, commands.AddVersion)
    expect(outcome({ ...noting, headSha: newVersion.headSha }, found)).toEqual(noted)
  })

  it("are noted with the change of the texts for which they were found", () => {
    const { _tag, ...found } = { ...noting, title: "Other" }
    const change = cases.MergeRequestChanged.make({ changes: { title: "Other" }, before: { title: attributes.title } })
    const changing = (closing: IssuesFound) => updating({ changes: { title: "Other" }, closing })
    expect(later(noting, changing(found))).toEqual([])
    const before = stateBehind(open, addVersion, noting)
    expect(outcome(changing(found), before)).toEqual([change, ...noted])
    for (const other of [{ title: "Third" }, { description: "Other" }, { headSha: shaOf("d") }]) {
      expect(outcome(changing({ ...found, ...other }), before)).toEqual([change])
    }
    expect(outcome({ ...changing(found), transition: "close" }, before)).toEqual([
      cases.MergeRequestClosed.make({ by: 8 }),
      change
    ])
  })

  it("stay as they are while it waits to be merged of itself, and are found anew when it does not any more", () => {
    const waiting = [checking, noting, setAutoMerge]
    const again = (title: string) => updating({ changes: { title } })
    const sameHead: Command = { ...addVersion, id: 111, previous: version, version: { ...version, startSha: shaOf("e") } }
    expect(later(...waiting, again("Other"), again(attributes.title), sameHead)).toEqual([])
    expect(later(...waiting, { _tag: "CancelAutoMerge", by: 8 })).toEqual(noted)
    expect(later(...waiting, { _tag: "AbortAutoMerge", of: { headSha: version.headSha }, reason: "closed" })).toEqual(noted)
    expect(later(...waiting, closing)).toEqual([])
    expect(later(checking, setAutoMerge, again("Other"), again(attributes.title))).toEqual([])
  })

  it("stay as they are once it is merged, whatever is written to it then", () => {
    const merging = [checking, commands.PlanMerge, commands.NoteMerge]
    const again = updating({ changes: { title: "Other" } })
    expect(later(noting, ...merging, again, updating({ changes: { title: attributes.title } }))).toEqual([])
    expect(later(...merging, again)).toEqual([])
  })
})
