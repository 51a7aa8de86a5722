export interface Watch {
  /** Something moved. */
  readonly touch: () => void
  /** From here on only the total time counts. */
  readonly rest: () => void
  readonly end: () => void
}

/** Calls back once, when nothing moved for `idle` milliseconds or `total` have passed. */
export const watch = ({ idle, total }: { readonly idle: number; readonly total: number }, expire: () => void): Watch => {
  const deadline = performance.now() + total
  let quietSince = performance.now()
  const timer = setInterval(
    () => {
      const now = performance.now()
      if (now < deadline && now - quietSince < idle) return
      clearInterval(timer)
      expire()
    },
    Math.min(1_000, idle / 4)
  )
  return {
    touch: () => {
      quietSince = Math.max(quietSince, performance.now())
    },
    rest: () => {
      quietSince = Number.POSITIVE_INFINITY
    },
    end: () => clearInterval(timer)
  }
}
