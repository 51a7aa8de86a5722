import { Context, Effect } from "effect"
import { Company } from "./Company.ts"

/**
 * How dear work is, and who waits for it: `interactive` reads for an answer, `transfer` sends or receives packs, `bulk` goes through whole
 * histories or trees, `background` is waited for by nobody.
 */
export type WorkClass = "interactive" | "transfer" | "bulk" | "background"

/**
 * How much the processes of work let the service and the database go first, on which every answer waits, and dearer work that somebody waits
 * for cheaper one: as `nice`.
 */
export const nicenessOf: Readonly<Record<WorkClass, number>> = { interactive: 10, transfer: 11, bulk: 15, background: 19 }

export interface Work {
  readonly class: WorkClass
  /** On whose behalf: `user:<id>`, the address of somebody without a token, or `system`. */
  readonly caller: string
  /** Those who wait for it together, where they may be several. */
  readonly company?: Company
}

/** The work that the running fiber does; by default that of the service itself. */
export const CurrentWork = Context.Reference<Work>("chronoforge/platform/CurrentWork", {
  defaultValue: () => ({ class: "background", caller: "system" })
})

/** Does work for this caller, who waits for an answer. */
export const onBehalfOf =
  (caller: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(effect, CurrentWork, { class: "interactive", caller })

/** Does work of this class for the same caller. What is in the background stays there. */
export const inClass =
  (workClass: WorkClass) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.updateService(effect, CurrentWork, (work) => (work.class === "background" ? work : { ...work, class: workClass }))

/** The caller of the current work joins a company, and so does everybody who waits for that work, or ever will. */
export const joinCompany = (company: Company): Effect.Effect<void> =>
  Effect.map(CurrentWork, ({ caller, company: own }) => {
    if (own === undefined) company.join(caller)
    else own.queueEach((each) => company.join(each))
  })

/** The current work, for a company that begins with those who wait for it. */
export const sharedWork: Effect.Effect<Work & { readonly company: Company }> = Effect.gen(function* () {
  const company = new Company()
  yield* joinCompany(company)
  return { ...(yield* CurrentWork), company }
})
