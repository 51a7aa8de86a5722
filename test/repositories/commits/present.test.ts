import { it } from "vitest"
import type { Commit } from "#src/git/objects/commit.ts"
import { presentCommit, presentComparedCommit } from "#src/repositories/commits/present.ts"
import { expectExactly } from "#test/support/exactly.ts"

const person = (name: string, offset: string) => ({ name, email: `${name}@example.com`, seconds: 1_709_022_420, offset })
const commit: Commit = {
  id: "12d65c8dd2b2676fa3ac47d955accc085a37a9c1",
  tree: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  parents: ["6104942438c14ec7bd21c6cd5bd995272b3faff6"],
  author: person("ann", "+0200"),
  committer: person("carl", "+0000"),
  message: "JS fix\n\nLong story\n\nChangelog: fixed\nReviewed-by: a\nReviewed-by: b\n"
}
const shape = {
  id: commit.id,
  short_id: "12d65c8d",
  created_at: "2024-02-27T08:27:00.000+00:00",
  parent_ids: commit.parents,
  title: "JS fix",
  message: commit.message,
  author_name: "ann",
  author_email: "ann@example.com",
  authored_date: "2024-02-27T10:27:00.000+02:00",
  committer_name: "carl",
  committer_email: "carl@example.com",
  committed_date: "2024-02-27T08:27:00.000+00:00",
  trailers: { Changelog: "fixed", "Reviewed-by": "b" },
  extended_trailers: { Changelog: ["fixed"], "Reviewed-by": ["a", "b"] },
  web_url: "https://host/grp/proj/-/commit/12d65c8dd2b2676fa3ac47d955accc085a37a9c1"
}

it("shows a commit in full", () => {
  expectExactly(presentCommit(commit, "https://host/grp/proj"), shape)
})

it("shows no trailers where none are handed in", () => {
  expectExactly(presentCommit(commit, "https://host/grp/proj", []), { ...shape, trailers: {}, extended_trailers: {} })
})

it("shows six fields in a comparison", () => {
  expectExactly(presentComparedCommit(commit), {
    id: shape.id,
    short_id: shape.short_id,
    title: "JS fix",
    author_name: "ann",
    author_email: "ann@example.com",
    created_at: shape.created_at
  })
})
