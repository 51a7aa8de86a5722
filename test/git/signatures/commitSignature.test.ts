import { describe, expect, it } from "vitest"
import { splitSignature, unarmor } from "#src/git/signatures/commitSignature.ts"
import { pgpIssuer } from "#src/git/signatures/pgpIssuer.ts"
import { signingFingerprint } from "#src/git/signatures/sshSignature.ts"
import { parseSshPublicKey } from "#src/keys/sshPublicKey.ts"
import { pgpSigned, sshSigned } from "./signedCommits.ts"

const split = (content: string) => splitSignature(Buffer.from(content))
const fingerprintOf = (content: string) => {
  const { armored = "", signed = Buffer.alloc(0) } = split(content) ?? {}
  return signingFingerprint(armored, signed)
}
/** The content with other bytes in its armor. */
const changeArmor = (content: string, change: (bytes: Buffer) => Buffer): string => {
  const { armored = "" } = split(content) ?? {}
  const bytes = change(Buffer.from(unarmor(armored) ?? Buffer.alloc(0)))
  const lines = ["-----BEGIN SSH SIGNATURE-----", bytes.toString("base64"), "-----END SSH SIGNATURE-----"]
  return content.replace(/gpgsig [\s\S]*?-----END SSH SIGNATURE-----/, `gpgsig ${lines.join("\n ")}`)
}
const ed25519 = sshSigned.ed25519?.content ?? ""

describe("a signed commit", () => {
  it.each(Object.entries(sshSigned))("tells the key of its SSH signature: %s", (_, { content, key }) => {
    expect(split(content)?.kind).toBe("SSH")
    expect(fingerprintOf(content)).toBe(parseSshPublicKey(key)?.fingerprintSha256)
  })

  it.each(Object.entries(sshSigned))("of which something was changed vouches for nothing: %s", (_, { content }) => {
    expect(fingerprintOf(content.replace("\n\nSigned by", "\n\nSigned! by"))).toBeUndefined()
    expect(fingerprintOf(content.replace("committer Signer", "committer Sagner"))).toBeUndefined()
    const flipLast = (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])])
    expect(fingerprintOf(changeArmor(content, (bytes) => bytes))).toBe(fingerprintOf(content))
    expect(fingerprintOf(changeArmor(content, flipLast))).toBeUndefined()
  })

  it("whatever the bytes are, is read or not, without failing", () => {
    const whole = unarmor(split(ed25519)?.armored ?? "") ?? Buffer.alloc(0)
    for (let length = 0; length < whole.length; length++) {
      expect(fingerprintOf(changeArmor(ed25519, (bytes) => bytes.subarray(0, length)))).toBeUndefined()
    }
    const forFiles = changeArmor(ed25519, (bytes) =>
      Buffer.from(bytes.toString("latin1").replace("\x03git", "\x03gut"), "latin1")
    )
    expect([forFiles === ed25519, fingerprintOf(forFiles)]).toEqual([false, undefined])
  })

  it("by a key of no known kind vouches for nothing", () => {
    const string = (text: string | Buffer) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(Buffer.byteLength(text))
      return Buffer.concat([length, Buffer.from(text)])
    }
    const odd = (type: string, curve: string) => {
      const key = [string(type), string(curve), string(Buffer.alloc(65, 4))]
      const sent = [string(type), string(Buffer.concat([string("\x01"), string("\x01")]))]
      const parts = [Buffer.concat(key), "git", "", "sha512", Buffer.concat(sent)].map(string)
      return changeArmor(ed25519, () => Buffer.concat([Buffer.from("SSHSIG\0\0\0\x01"), ...parts]))
    }
    const kinds = ["constructor", "ecdsa-sha2-constructor", "ecdsa-sha2-nistp256", "rsa-sha2-512"]
    const all = kinds.flatMap((type) => ["constructor", "nistp521", "toString"].map((curve) => odd(type, curve)))
    expect(all.map(fingerprintOf)).toEqual(all.map(() => undefined))
  })

  it("names the key of its OpenPGP signature", () => {
    const found = split(pgpSigned)
    expect([found?.kind, pgpIssuer(found?.armored ?? "")]).toEqual(["PGP", "441022AF80838C9E"])
    expect(found?.signed.toString()).toBe(pgpSigned.replace(/gpgsig [\s\S]*?-----END PGP SIGNATURE-----\n/, ""))
    const bytes = unarmor(found?.armored ?? "") ?? Buffer.alloc(0)
    for (let length = 0; length < bytes.length; length++) {
      const armored = `-----BEGIN PGP SIGNATURE-----\n\n${bytes.toString("base64", 0, length)}\n-----END PGP SIGNATURE-----`
      expect([undefined, "441022AF80838C9E"]).toContain(pgpIssuer(armored))
    }
  })

  it("by a certificate, by both formats, by nothing, by something else", () => {
    const content = (header: string) => `tree 0\nauthor a\n${header}committer b\n\ngpgsig no\n`
    const armor = (kind: string) => `-----BEGIN ${kind}-----\n AAAA\n -----END ${kind}-----\n`
    expect(split(content(`gpgsig ${armor("SIGNED MESSAGE")}`))).toEqual({
      kind: "X509",
      armored: "-----BEGIN SIGNED MESSAGE-----\nAAAA\n-----END SIGNED MESSAGE-----",
      signed: Buffer.from(content(""))
    })
    expect(split(content(`gpgsig-sha256 ${armor("PGP SIGNATURE")}`))?.signed).toEqual(Buffer.from(content("")))
    for (const header of ["", "mergetag x\n gpgsig y\n", `gpgsig ${armor("SOMETHING")}`, "gpgsig\n", "gpgsig x"]) {
      expect(split(content(header))).toBeUndefined()
    }
  })

  it("is read in linear time", () => {
    const lines = Array.from({ length: 2000 }, () => "a: b: c: d: e: f: g")
    expect(unarmor(["-----BEGIN X-----", ...lines].join("\n"))).toBeUndefined()
    expect(unarmor(["-----BEGIN X-----", ...lines, "-----END X-----"].join("\n"))).toBeUndefined()
  })
})
