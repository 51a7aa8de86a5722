import type { Fault } from "../../kernel/faults.ts"

/** The texts by attribute, under the names that `nameOf` gives them, such as `{"name":["can't be blank"]}`. */
export const presentFaults = <F extends Fault>(
  faults: ReadonlyArray<F>,
  nameOf: (attribute: F["attribute"]) => string = (attribute) => attribute
): Readonly<Record<string, ReadonlyArray<string>>> => {
  const byName = Map.groupBy(faults, ({ attribute }) => nameOf(attribute))
  return Object.fromEntries([...byName].map(([name, group]) => [name, group.map(({ text }) => text)]))
}

/** Writes a text as Ruby does: `"a \"b\" \#{c}"`. */
const inspected = (text: string): string => `"${text.replace(/["\\]|#(?=[{$@])/g, "\\$&")}"`

/** The same as the reference writes it in the failure of some writes: `{:path=>["has already been taken"]}`. */
export const inspectedFaults = <F extends Fault>(
  faults: ReadonlyArray<F>,
  nameOf?: (attribute: F["attribute"]) => string
): string => {
  const entries = Object.entries(presentFaults(faults, nameOf))
  return `{${entries.map(([name, texts]) => `:${name}=>[${texts.map(inspected).join(", ")}]`).join(", ")}}`
}
