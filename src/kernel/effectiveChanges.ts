import { Equal, Struct } from "effect"

/** The changes that differ from the present values. Lists and records are compared by content. */
export const effectiveChanges = <C extends object>(changes: C, before: NoInfer<C>): Partial<Pick<C, keyof C & string>> =>
  Struct.pick(
    changes,
    Struct.keys(changes).filter((key) => !Equal.equals(changes[key], before[key]))
  )
