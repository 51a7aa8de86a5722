import { Equal, Struct } from "effect"

/** Those changes that change something. Lists and records are compared by what is in them. */
export const effectiveChanges = <C extends object>(changes: C, before: NoInfer<C>): Partial<Pick<C, keyof C & string>> =>
  Struct.pick(
    changes,
    Struct.keys(changes).filter((key) => !Equal.equals(changes[key], before[key]))
  )
