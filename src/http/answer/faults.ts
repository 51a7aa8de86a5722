import type { Fault } from "../../kernel/faults.ts"
/** The texts by attribute, under the names that `nameOf` gives them, such as `{"name":["can't be blank"]}`. */
export const presentFaults = <F extends Fault>(
  faults: ReadonlyArray<F>,
  nameOf: (attribute: F["attribute"]) => string = (attribute) => attribute
): Readonly<Record<string, ReadonlyArray<string>>> => {
  const byName = Map.groupBy(faults, ({ attribute }) => nameOf(attribute))
  return Object.fromEntries([...byName].map(([name, group]) => [name, group.map(({ text }) => text)]))
}
