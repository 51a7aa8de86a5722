import { emptyRepository, type GitFixture } from "./gitFixtures.ts"

/** Bytes without a pattern that compression finds, always the same. */
const noise = (length: number): Buffer => {
  const bytes = Buffer.alloc(length)
  let state = 42
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[index] = state >>> 24
  }
  return bytes
}

const lines = (count: number, word = "line") => Array.from({ length: count }, (_, index) => `${word} ${index + 1}\n`).join("")
const latin1 = (text: string) => Buffer.from(text, "latin1")

/** Ids of what lies at `sub` in the commits of `standardRepository`: a commit of another repository. */
export const submoduleCommit = "0123456789abcdef0123456789abcdef01234567"
export const bigFile = noise(3 * 1024 * 1024)

/** Paths of the commit `odd` that are hard to get right. */
export const oddPaths: ReadonlyArray<string | Buffer> = [
  "new\nline.txt",
  `quo"te's.txt`,
  latin1("latin-\xe9.txt"),
  Buffer.concat([latin1("dir-\xff\xfe/"), Buffer.from("inside.txt")]),
  "a%2Fb.txt",
  "--output=x",
  "-dash/-r",
  "\u{1f600} emoji/\u{1f680}.txt",
  "back\\slash",
  "tab\there",
  " spaces ",
  ":(top)magic",
  "star*[a].txt",
  "foo/in",
  "foo.txt",
  "foo-bar"
]

/**
 * A repository with a bit of everything. Commits by mark:
 * `first`…`fifth` on main (linear; `third` renames, `fourth` has binary and big files, links, modes and a submodule),
 * `topicA`, `topicB` on `feature/topic`, `merged` on main, `crossA`, `crossB`, `crossLeft`, `crossRight` (criss-cross, branches
 * `cross/left` and `cross/right`), `octopus` (three parents, branch `octopus`), `odd` (names; branch `odd`), `deep` (branch
 * `deep`), `orphan` (branch `orphan`), `latin` (an encoding header; branch `latin`), `head` on main.
 * Tags: `v1.0.0` (annotated, on `second`), `v1.1.0` (light, on `fifth`), `nested` (a tag of `v1.0.0`), `signed`, `blob-tag`, `tree-tag`;
 * `both` is a branch on `second` and a tag on `fifth`. `refs/internal/keep` is on `topicA`.
 */
export const standardRepository = (path: string) => {
  const fixture = emptyRepository(path)
  const ids = makeCommits(fixture)
  const { git } = fixture
  git(["tag", "--annotate", "--message=Version 1\n\nWith a body\n", "v1.0.0", ids.second])
  git(["tag", "v1.1.0", ids.fifth])
  git(["tag", "--annotate", "--message=A tag of a tag", "nested", "v1.0.0"])
  git(["tag", "both", ids.fifth])
  git(["branch", "both", ids.second])
  git(["tag", "blob-tag", `${ids.second}:README.md`])
  git(["tag", "tree-tag", `${ids.second}^{tree}`])
  git(["branch", "\u{1f600}/wörld", ids.first])
  git(["update-ref", "refs/internal/keep", ids.topicA])
  const signedTag = fixture.object(
    "tag",
    `object ${ids.fifth}\ntype commit\ntag signed\ntagger Ann Author <ann@example.com> 1700001000 +0530\n\nSigned\n\n-----BEGIN PGP SIGNATURE-----\n\niQEz\n=abcd\n-----END PGP SIGNATURE-----\n`
  )
  git(["update-ref", "refs/tags/signed", signedTag])
  return { ...fixture, ids: { ...ids, signedTag } }
}

const makeCommits = ({ commits }: GitFixture) =>
  commits([
    {
      mark: "first",
      message: "First commit\n\nIts body\nhas two lines\n",
      files: { "README.md": "# Read me\n", "src/main.ts": lines(20), "src/lib/deep/er/file.txt": "deep\n", LICENSE: lines(5) }
    },
    {
      mark: "second",
      message: "Second commit",
      files: { "README.md": "# Read me\n\nMore\n", "docs/guide.md": lines(40, "guide") }
    },
    {
      mark: "third",
      message:
        "Rename things\n\nChangelog: changed\nSigned-off-by: Ann Author <ann@example.com>\nSigned-off-by: Carl <c@example.com>\n",
      files: { "docs/guide.md": null, "docs/handbook.md": `${lines(40, "guide")}more\n`, LICENSE: null, COPYING: lines(5) }
    },
    {
      mark: "fourth",
      message: "All kinds of entries\n",
      files: {
        "bin/run": { mode: "100755", content: "#!/bin/sh\n" },
        "link-to-readme": { mode: "120000", content: "README.md" },
        "data/noise.bin": noise(4096),
        "data/nul.bin": Buffer.from("a\0b\n"),
        "data/big.bin": bigFile,
        "data/empty": "",
        "data/latin1.txt": latin1("caf\xe9\n"),
        "data/crlf.txt": "one\r\ntwo\r\n",
        sub: { commit: submoduleCommit }
      }
    },
    { mark: "fifth", files: { "src/main.ts": lines(21), "bin/run": { mode: "100644", content: "#!/bin/sh\n" } } },
    {
      mark: "topicA",
      ref: "refs/heads/feature/topic",
      parents: ["second"],
      author: { name: "Zoë Ünal", email: "zoe@example.com", seconds: 1_690_000_000, offset: "-0330" },
      message: "Topic, part one\n\nSecond paragraph\n\nThird\n",
      files: { "topic.txt": "one\n" }
    },
    { mark: "topicB", ref: "refs/heads/feature/topic", files: { "topic.txt": "one\ntwo\n" } },
    {
      mark: "merged",
      parents: ["fifth", "topicB"],
      message: "Merge branch 'feature/topic'\n",
      files: { "topic.txt": "one\ntwo\n" }
    },
    { mark: "crossA", ref: "refs/heads/cross/left", parents: ["fifth"], files: { "cross-a.txt": "a\n" } },
    { mark: "crossB", ref: "refs/heads/cross/right", parents: ["fifth"], files: { "cross-b.txt": "b\n" } },
    { mark: "crossLeft", ref: "refs/heads/cross/left", parents: ["crossA", "crossB"], files: { "cross-b.txt": "b\n" } },
    { mark: "crossRight", ref: "refs/heads/cross/right", parents: ["crossB", "crossA"], files: { "cross-a.txt": "a\n" } },
    {
      mark: "octopus",
      ref: "refs/heads/octopus",
      parents: ["fifth", "topicB", "crossA"],
      files: { "topic.txt": "one\ntwo\n", "cross-a.txt": "a\n" }
    },
    { mark: "odd", ref: "refs/heads/odd", parents: ["first"], files: oddPaths.map((path) => [path, "odd\n"] as const) },
    {
      mark: "deep",
      ref: "refs/heads/deep",
      parents: ["first"],
      files: Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [`${"d/".repeat(index % 30)}dir${index}/file${index}.txt`, `${index}\n`])
      )
    },
    { mark: "orphan", ref: "refs/heads/orphan", parents: [], message: "", files: { "alone.txt": "alone\n" } },
    {
      mark: "latin",
      ref: "refs/heads/latin",
      parents: ["orphan"],
      encoding: "ISO-8859-1",
      message: latin1("Caf\xe9\n\nna\xefve\n"),
      author: { name: latin1("Ren\xe9"), email: "rene@example.com", seconds: 1_700_000_000, offset: "+1245" }
    },
    { mark: "head", parents: ["merged"], files: { "src/main.ts": lines(22) } }
  ])
