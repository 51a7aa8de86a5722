import { beforeAll, describe, expect, it } from "vitest"
import { pgpSigned, sshSigned } from "#test/git/signatures/signedCommits.ts"
import { anyId, anyTime, expectExactly } from "#test/support/exactly.ts"
import { answerOf } from "#test/support/service.ts"
import { useProjects } from "../../projects/useProjects.ts"
import { useEmptyCode } from "../useCode.ts"

const { newUser, service } = useProjects()
const code = useEmptyCode(service, { path: "signed" })
const signature = (sha: string) => service.request("GET", `/projects/${code().id}/repository/commits/${sha}/signature`)
/** A tag object with a signature of something else. */
const sshSignedTag = (commit: string): string => {
  const [, armor = ""] = /gpgsig ([\s\S]*?-----END SSH SIGNATURE-----)/.exec(sshSigned.rsa?.content ?? "") ?? []
  const head = `object ${commit}\ntype commit\ntag signed\ntagger Signer <signer@example.com> 1700000000 +0000`
  return `${head}\n\nSigned\n${armor.replaceAll("\n ", "\n")}\n`
}

/** Writes a commit as it is, with no branch. */
const put = (content: string) => code().fixture.object("commit", content)
const ssh = (verification_status: string, key: unknown) => [
  200,
  { signature_type: "SSH", verification_status, key, commit_source: "gitaly" }
]

beforeAll(() => {
  code().fixture.object("tree", "")
})

describe("the signature of a commit", () => {
  it("by a key that nobody has, then somebody else, then the committer", async () => {
    const { content = "", key = "" } = sshSigned.ed25519 ?? {}
    const sha = put(content)
    expectExactly(answerOf(await signature(sha)), ssh("unknown_key", null))
    const other = await newUser("other")
    const made = await service.request("POST", `/users/${other.id}/keys`, {
      json: { title: "Laptop", key, usage_type: "signing", expires_at: "2100-01-01" }
    })
    const shown = (owner: string) => ({
      id: anyId,
      title: "Laptop",
      created_at: anyTime,
      expires_at: "2100-01-01T00:00:00.000Z",
      key: `${key.split(" ").slice(0, 2).join(" ")} ${owner} (forge.example.com)`,
      usage_type: "signing"
    })
    expect(made.status).toBe(201)
    expectExactly(answerOf(await signature(sha)), ssh("other_user", shown("other")))
    const signer = await newUser("signer")
    expectExactly(answerOf(await signature(sha)), ssh("other_user", shown("other")))
    const { content: rsa = "", key: rsaKey = "" } = sshSigned.rsa ?? {}
    await service.request("POST", "/user/keys", {
      token: signer.token,
      json: { title: "Laptop", key: rsaKey, usage_type: "signing", expires_at: "2100-01-01" }
    })
    const rsaShown = { ...shown("signer"), key: `${rsaKey.split(" ").slice(0, 2).join(" ")} signer (forge.example.com)` }
    expectExactly(answerOf(await signature(put(rsa))), ssh("verified", rsaShown))
    const forged = rsa.replace("\n\nSigned by", "\n\nNever signed by")
    expectExactly(answerOf(await signature(put(forged))), ssh("unverified", null))
  })

  it("by a key that is only for logging in, which vouches for nothing", async () => {
    const { content = "", key = "" } = sshSigned.nistp384 ?? {}
    const { token } = await newUser("authenticating")
    await service.request("POST", "/user/keys", { token, json: { title: "t", key, usage_type: "auth" } })
    expectExactly(answerOf(await signature(put(content))), ssh("unknown_key", null))
  })

  it("of other kinds is shown, but not checked", async () => {
    expectExactly(answerOf(await signature(put(pgpSigned))), [
      200,
      {
        signature_type: "PGP",
        verification_status: "unknown_key",
        gpg_key_id: null,
        gpg_key_primary_keyid: "441022AF80838C9E",
        gpg_key_user_name: null,
        gpg_key_user_email: null,
        gpg_key_subkey_id: null,
        commit_source: "gitaly"
      }
    ])
    const x509 = pgpSigned.replaceAll("PGP SIGNATURE", "SIGNED MESSAGE")
    expectExactly(answerOf(await signature(put(x509))), [
      200,
      { signature_type: "X509", verification_status: "unverified", x509_certificate: null, commit_source: "gitaly" }
    ])
  })

  it("of a tag is that of its object, not of its commit", async () => {
    const tag = (name: string) => service.request("GET", `/projects/${code().id}/repository/tags/${name}/signature`)
    const commit = put(sshSigned.rsa?.content ?? "")
    const { git, object } = code().fixture
    git(["update-ref", "refs/tags/light", commit])
    git(["tag", "--annotate", "--message=Plain", "annotated", commit])
    git(["update-ref", "refs/tags/signed", object("tag", sshSignedTag(commit))])
    const none = [404, { message: "404 Signature Not Found" }]
    expect(answerOf(await tag("light"))).toEqual(none)
    expect(answerOf(await tag("annotated"))).toEqual(none)
    expectExactly(answerOf(await tag("signed")), ssh("unverified", null))
    expect(answerOf(await tag("nothing"))).toEqual([404, { message: "404 Tag Not Found" }])
    expect(answerOf(await tag("a%20b"))).toEqual([400, { message: "The tag refname is invalid" }])
  })

  it("is not found where there is none", async () => {
    const plain = put(pgpSigned.replace(/gpgsig [\s\S]*?-----END PGP SIGNATURE-----\n/, ""))
    expect(answerOf(await signature(plain))).toEqual([404, { message: "404 Signature Not Found" }])
    expect(answerOf(await signature("nothing"))).toEqual([404, { message: "404 Commit Not Found" }])
  })
})
