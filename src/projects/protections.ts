import type { Grant, Protection } from "./events.ts"

const pushLevels: Readonly<Record<Protection["kind"], ReadonlyArray<number>>> = { branch: [0, 30, 40, 60], tag: [0, 30, 40] }
const longest = 255

const grantFaults = (kind: Protection["kind"], grants: ReadonlyArray<Grant>, called: string): ReadonlyArray<string> =>
  grants.every(({ accessLevel }) => pushLevels[kind].includes(accessLevel)) ? [] : [`${called} is not included in the list`]

/** Everything that is wrong with a protection, as sentences. */
export const protectionFaults = ({ kind, merge, name, push }: Protection): ReadonlyArray<string> => [
  ...(name.trim() === "" ? ["Name can't be blank"] : []),
  ...(name.length > longest ? [`Name is too long (maximum is ${longest} characters)`] : []),
  ...grantFaults(kind, push, kind === "branch" ? "Push access levels access level" : "Create access levels access level"),
  ...grantFaults(kind, merge, "Merge access levels access level")
]

const matches = (pattern: string, name: string): boolean => {
  // Piece by piece, so that no pattern takes more than a walk through the name.
  const [first = "", ...others] = pattern.split("*")
  const last = others.pop()
  if (last === undefined) return pattern === name
  if (!name.startsWith(first)) return false
  let from = first.length
  for (const piece of others) {
    const at = name.indexOf(piece, from)
    if (at < 0) return false
    from = at + piece.length
  }
  return name.length - last.length >= from && name.endsWith(last)
}

/** Those protections that hold for a branch or tag: by its name, or by a pattern. */
export const protecting = <P extends { readonly name: string }>(protections: ReadonlyArray<P>, name: string): ReadonlyArray<P> =>
  protections.filter((protection) => matches(protection.name, name))
