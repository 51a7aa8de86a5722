import { mergeDue } from "#src/mergeRequests/autoMerge/mergeDue.ts"
import { wakeWaiting } from "#src/mergeRequests/autoMerge/wakeWaiting.ts"
import { mergeRequestAggregate } from "#src/mergeRequests/decisions/aggregate.ts"
import { isPresent } from "#src/mergeRequests/decisions/state.ts"
import { notifyResolved } from "#src/notes/discussions/notifyResolved.ts"
import { load } from "#src/platform/Commands.ts"
import { field } from "#test/support/exactly.ts"
import type { Received } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"
import { keepUp } from "../keepUp.ts"
import { useMergeRequests } from "../useMergeRequests.ts"

/** A running service that merges of itself what is to be. */
export const useAutoMerge = () => {
  const requests = useMergeRequests()
  const { get, pathOf, service } = requests
  const { request } = service
  keepUp(service, wakeWaiting, notifyResolved, mergeDue("http://forge.example.com"))
  const headOf = async (projectId: number, iid = 1) => String(field((await get(projectId, iid)).body, "sha"))
  /** What is to be merged of itself; undefined where it is not, or not any more. */
  const autoMergeOf = async (projectId: number, iid: number) => {
    const { state } = await service.run(load(mergeRequestAggregate, { projectId, iid }))
    return isPresent(state) && state._tag === "Opened" ? state.request.autoMerge : undefined
  }
  const reasonOf = async (projectId: number, iid: number) => (await autoMergeOf(projectId, iid))?.heldFor
  return {
    ...requests,
    headOf,
    merge: (projectId: number, json: object = {}, token?: string, iid = 1): Promise<Received> =>
      request("PUT", pathOf(projectId, iid, "/merge"), {
        json: { merge_when_pipeline_succeeds: true, ...json },
        token
      }),
    /** Sets the status of the last commit, which makes its pipeline. */
    post: async (projectId: number, state: string, { iid = 1, ref = "topic" } = {}): Promise<Received> =>
      request("POST", `/projects/${projectId}/statuses/${await headOf(projectId, iid)}`, { json: { state, ref } }),
    /** Waits until it was looked at: what it waits for. */
    held: async (projectId: number, iid = 1): Promise<string | undefined> => {
      let reason: string | undefined
      await until(async () => {
        reason = await reasonOf(projectId, iid)
        return reason !== undefined
      })
      return reason
    },
    /** Whether it is to be merged of itself, and to be looked at. */
    isDue: async (projectId: number, iid = 1): Promise<boolean> => {
      const autoMerge = await autoMergeOf(projectId, iid)
      return autoMerge !== undefined && autoMerge.heldFor === undefined
    },
    /** Waits until it waits for this. */
    heldFor: (projectId: number, reason: string, iid = 1): Promise<void> =>
      until(async () => (await reasonOf(projectId, iid)) === reason),
    /** Waits until what the first one shows is so. */
    shownWhen: async (projectId: number, claim: (body: unknown) => boolean): Promise<unknown> => {
      let last: unknown
      await until(async () => {
        last = (await get(projectId, 1)).body
        return claim(last)
      })
      return last
    }
  }
}

export const waits = ({ body }: Pick<Received, "body">): boolean => field(body, "merge_when_pipeline_succeeds") === true
