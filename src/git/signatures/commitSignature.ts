import { Effect } from "effect"
import { startOfSignature } from "../objects/annotatedTag.ts"
import { Objects } from "../objects/Objects.ts"
import { maxObjectBytes } from "../objects/objectHeaders.ts"
import type { GitFailed, Repository } from "../Repository.ts"

/** The signature of a commit or a tag. */
export interface ObjectSignature {
  readonly kind: "PGP" | "SSH" | "X509"
  /** The signature as it stands in the object, in ASCII armor. */
  readonly armored: string
  /** What was signed: the object without its signature. */
  readonly signed: Buffer
}

const kinds: Readonly<Record<string, ObjectSignature["kind"]>> = {
  "PGP SIGNATURE": "PGP",
  "PGP MESSAGE": "PGP",
  "SSH SIGNATURE": "SSH",
  "SIGNED MESSAGE": "X509"
}
const kindOf = (armored: string): ObjectSignature["kind"] | undefined =>
  kinds[/^-----BEGIN ([A-Z ]+)-----$/m.exec(armored)?.[1] ?? ""]

const [newline, space] = [10, 32]
/** Commits carry a second one, for SHA-256, when they are in both formats. */
const signatureHeader = /^gpgsig(?:-sha256)? /

/** Takes the content of a commit object apart; undefined when it is not signed, or by something else. */
export const splitSignature = (content: Buffer): ObjectSignature | undefined => {
  const kept: Array<Buffer> = []
  const armor: Array<string> = []
  let isInside = false
  let at = 0
  while (at < content.length && content[at] !== newline) {
    const found = content.indexOf(newline, at)
    const end = found === -1 ? content.length : found + 1
    const line = content.subarray(at, end)
    isInside = line[0] === space ? isInside : signatureHeader.test(line.toString("latin1", 0, 20))
    if (isInside) armor.push(line.toString("latin1").replace(/^(?:gpgsig(?:-sha256)?)? /, ""))
    else kept.push(line)
    at = end
  }
  const armored = armor.join("").trim()
  const kind = kindOf(armored)
  return kind && { kind, armored, signed: Buffer.concat([...kept, content.subarray(at)]) }
}

/** The same for a tag object. */
export const splitTagSignature = (content: Buffer): ObjectSignature | undefined => {
  const text = content.toString("latin1")
  const start = startOfSignature(text)
  const armored = start === -1 ? "" : text.slice(start).trim()
  const kind = kindOf(armored)
  return kind && { kind, armored, signed: content.subarray(0, start) }
}

/** The signature of a commit or a tag object by its full id; undefined when there is none. */
export const readSignature = Effect.fnUntraced(function* (
  repository: Repository,
  id: string
): Effect.fn.Return<ObjectSignature | undefined, GitFailed, Objects> {
  const object = yield* (yield* Objects).read(repository, id, maxObjectBytes)
  if (object?.type === "tag") return splitTagSignature(object.content)
  return object?.type === "commit" ? splitSignature(object.content) : undefined
})

/** The bytes in ASCII armor, without its headers and check sum; undefined when there is none. */
export const unarmor = (armored: string): Buffer | undefined => {
  const lines = armored.split(/\r?\n/)
  const start = lines.findIndex((line) => line.startsWith("-----BEGIN ")) + 1
  const end = lines.findIndex((line) => line.startsWith("-----END "))
  if (start === 0 || end < start) return undefined
  const body = lines.slice(start, end)
  const base64 = body.slice(body.indexOf("") + 1).filter((line) => !line.startsWith("="))
  return base64.every((line) => /^[A-Za-z0-9+/]*=*$/.test(line)) ? Buffer.from(base64.join(""), "base64") : undefined
}
