import { Effect } from "effect"
import { Repositories } from "#src/git/Repositories.ts"
import { gitFixture } from "#test/support/git/gitFixtures.ts"
import { askers, slugOf } from "./askers.ts"

/** Kinds of branches that each caller has one of. */
const branchKinds = [
  "commit",
  "pick",
  "revert",
  "create",
  "update",
  "delete",
  "changelog",
  "protect",
  "unprotect",
  "gone"
] as const
const ownRefs = askers.flatMap((asker) => [
  ...branchKinds.map((kind) => `refs/heads/${kind}-${slugOf(asker)}`),
  `refs/heads/guarded-${slugOf(asker)}`,
  `refs/heads/guarded-gone-${slugOf(asker)}`,
  `refs/tags/gone-${slugOf(asker)}`
])

const signedBy = (role: string) => `${role} Ann Author <ann@example.com> 1700001000 +0000\n`
/** A signature that nobody checks, as a header of a commit or at the end of a tag. */
const armored = (indent: string) =>
  `${indent === "" ? "" : "gpgsig "}-----BEGIN PGP SIGNATURE-----\n${indent}\n${indent}iQEz\n${indent}=abcd\n${indent}-----END PGP SIGNATURE-----\n`

/** Puts commits, branches and tags into an empty repository. */
export const fillRepository = Effect.fnUntraced(function* (projectId: number) {
  const { commits, git, object } = gitFixture(yield* Repositories.use(({ create }) => create(projectId, "main")))
  const { first, second, topic } = commits([
    { mark: "first", files: { "a.txt": "a\n" } },
    { mark: "second", files: { "b.txt": "b\n" }, message: "Add b\n\nChangelog: added\n" },
    {
      mark: "topic",
      ref: "refs/heads/topic",
      parents: ["first"],
      files: { "c.txt": "c\n", ".gitlab-ci.yml": "job:\n  script: make\nreview:\n  script: make\n  only: [merge_requests]\n" }
    }
  ])
  git(["tag", "v1.0.0", first])
  const signed = object(
    "commit",
    `tree ${git(["rev-parse", "main^{tree}"])}\n${signedBy("author")}${signedBy("committer")}${armored(" ")}\nSigned\n`
  )
  git(["update-ref", "refs/heads/signed", signed])
  git([
    "update-ref",
    "refs/tags/signed",
    object("tag", `object ${first}\ntype commit\ntag signed\n${signedBy("tagger")}\nSigned\n${armored("")}`)
  ])
  git(["update-ref", "--stdin"], ownRefs.map((ref) => `create ${ref} ${second}\n`).join(""))
  const proposals = ["propose", "doomed"].flatMap((prefix) =>
    askers.map((asker) => `create refs/heads/${prefix}-${slugOf(asker)} ${topic}\n`)
  )
  git(["update-ref", "--stdin"], proposals.join(""))
  const merging = commits(
    askers.map((asker) => ({
      mark: slugOf(asker),
      ref: `refs/heads/merge-${slugOf(asker)}`,
      parents: [first],
      files: { [`${slugOf(asker)}.txt`]: "m\n" }
    }))
  )
  return { first, second, topic, signed, merging, blob: git(["rev-parse", "main:a.txt"]) }
}, Effect.orDie)
