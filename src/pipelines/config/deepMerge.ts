import type { Budget } from "./Budget.ts"
import { isMap, type Value, type ValueMap } from "./value.ts"

/** Of an entry that is copied, and of what is left to the garbage collector. */
const stepsAnEntry = 3

/** Entries of both, those of the second in the place of the first; maps under the same key are merged in the same way. */
export const deepMerge = (one: ValueMap, other: ValueMap, budget: Budget): ValueMap => {
  // Nothing is copied once the budget is spent, which its owner finds.
  if (!budget.spend(stepsAnEntry * (one.size + other.size))) return one
  const merged = new Map(one)
  for (const [key, value] of other) merged.set(key, mergedValue(one.get(key), value, budget))
  return merged
}

const mergedValue = (one: Value | undefined, other: Value, budget: Budget): Value =>
  isMap(one) && isMap(other) ? deepMerge(one, other, budget) : other
