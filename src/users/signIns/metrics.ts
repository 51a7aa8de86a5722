import { Effect, Metric } from "effect"

const outcomes = ["right", "wrong", "delayed", "locked", "busy"] as const

/** What became of a password. Only right and wrong ones were checked. */
export type SignInOutcome = (typeof outcomes)[number]

const signIns = Metric.counter("chronoforge_sign_ins_total", {
  description: "Passwords sent over git, by outcome: right, wrong, or refused unchecked as delayed, locked or busy.",
  incremental: true
})
const lockouts = Metric.counter("chronoforge_sign_in_lockouts_total", {
  description: "How often the wrong passwords for an account locked it.",
  incremental: true
})

const add = (outcome: SignInOutcome, count: 0 | 1) => Metric.update(Metric.withAttributes(signIns, { outcome }), count)

export const countSignIn = (outcome: SignInOutcome): Effect.Effect<void> => add(outcome, 1)

export const countLockout: Effect.Effect<void> = Metric.update(lockouts, 1)

/** Makes the metrics tell of what has not happened yet. */
export const beginMetrics: Effect.Effect<void> = Effect.andThen(
  Effect.forEach(outcomes, (outcome) => add(outcome, 0), { discard: true }),
  Metric.update(lockouts, 0)
)
