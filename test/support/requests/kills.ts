import { Effect, Layer } from "effect"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { CurrentOrigin } from "#src/platform/Origin.ts"
import type { Interceptors } from "../service.ts"

/** What a request stores, one after the other: events, ids that its repeat takes again, what tells its file from others, and its answer. */
export type Step = "append" | "ids" | "file" | "answer"

/** When a process dies: before or after the step with this number, counted from 0. */
export interface Kill {
  readonly step: number
  readonly isBefore: boolean
}

class Killed extends Error {}

interface Plan {
  readonly kill: Kill | undefined
  readonly steps: Array<Step>
  isDead: boolean
}

/** Processes that die at a step of a request. The request is known by its `Idempotency-Key`; what else runs goes on. */
export interface Kills {
  readonly interceptors: Interceptors
  /** Notes the steps of the requests with this key from now on, and kills the first one. */
  readonly begin: (key: string, kill?: Kill) => void
  /** Ends that, so that a repeat gets through; answers the steps. */
  readonly end: (key: string) => ReadonlyArray<Step>
}

const textOf = (first: unknown): string => (Array.isArray(first) && "raw" in first ? first.join("?") : "")

/** Which step a statement is, where it is about the answer of a request. */
const stepOf = (text: string): Step | undefined => {
  if (!/update chronoforge\.idempotent_answers\s+set/.test(text)) return undefined
  if (text.includes("set file_digest = ")) return "file"
  if (text.includes("set ids = ")) return "ids"
  return text.includes("set status = ?") ? "answer" : undefined
}

export const makeKills = (): Kills => {
  const plans = new Map<string, Plan>()
  /** Notes a step; answers whether the process dies before or after it. */
  const take = (plan: Plan, step: Step): "before" | "after" | undefined => {
    const { kill, steps } = plan
    if (plan.isDead) return "before"
    if (steps.push(step) - 1 !== kill?.step) return undefined
    plan.isDead = true
    return kill.isBefore ? "before" : "after"
  }
  const dies = Effect.suspend(() => Effect.die(new Killed()))
  const planned = Effect.map(CurrentOrigin, ({ idempotencyKey = "" }) => plans.get(idempotencyKey))
  const log = Layer.effect(
    EventStore,
    Effect.map(EventStore, (store) => {
      // What is dead does not even find out what it left.
      const unlessDead = <A>(read: Effect.Effect<A>) => Effect.flatMap(planned, (plan) => (plan?.isDead === true ? dies : read))
      return EventStore.of({
        ...store,
        read: (...order) => unlessDead(store.read(...order)),
        head: unlessDead(store.head),
        append: (...order) =>
          Effect.flatMap(planned, (plan) => {
            const death = plan && take(plan, "append")
            if (death === "before") return dies
            return death === "after" ? Effect.andThen(store.append(...order), dies) : store.append(...order)
          })
      })
    })
  )
  return {
    interceptors: {
      log,
      logLevel: "Fatal",
      client: (client) =>
        new Proxy(client, {
          apply: (target, self, args: ReadonlyArray<unknown>) => {
            const step = stepOf(textOf(args[0]))
            const plan = plans.get(String(args.find((value) => typeof value === "string" && plans.has(value))))
            const death = step && plan && take(plan, step)
            if (death === "before") return Promise.reject(new Killed())
            const done = Reflect.apply(target, self, args)
            return death === "after" ? Promise.resolve(done).then(() => Promise.reject(new Killed())) : done
          }
        })
    },
    begin: (key, kill) => {
      plans.set(key, { kill, steps: [], isDead: false })
    },
    end: (key) => {
      const plan = plans.get(key)
      plans.delete(key)
      return plan?.steps ?? []
    }
  }
}
