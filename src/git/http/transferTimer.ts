export interface TransferTimer {
  /** Marks traffic on the connection. */
  readonly touch: () => void
  /** Lets only the total time count from here on. */
  readonly ignoreIdle: () => void
  readonly end: () => void
}

/**
 * Calls back once, when nothing moved for `idleMillis` milliseconds or `totalMillis` have passed. Time in which it is not the client that is
 * waited for counts only for the latter.
 */
export const startTimer = (
  { idleMillis, totalMillis }: { readonly idleMillis: number; readonly totalMillis: number },
  expire: () => void,
  isClientAwaited: () => boolean = () => true
): TransferTimer => {
  const deadline = performance.now() + totalMillis
  let idleSince = performance.now()
  const timer = setInterval(
    () => {
      const now = performance.now()
      if (!isClientAwaited()) idleSince = Math.max(idleSince, now)
      if (now < deadline && now - idleSince < idleMillis) return
      clearInterval(timer)
      expire()
    },
    Math.min(1_000, idleMillis / 4)
  )
  return {
    touch: () => {
      idleSince = Math.max(idleSince, performance.now())
    },
    ignoreIdle: () => {
      idleSince = Number.POSITIVE_INFINITY
    },
    end: () => clearInterval(timer)
  }
}
