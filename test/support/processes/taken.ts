import type { TestService } from "../service.ts"

/**
 * What the metrics tell of places that are taken or waited for, and of processes that run: but for those that read single objects, and for the
 * place with which a request begins, as this one does.
 */
export const takenIn = async (service: TestService): Promise<ReadonlyArray<string>> => {
  const { body } = await service.request("GET", "/-/metrics")
  const lines = String(body).matchAll(/^chronoforge_(work_(?:running|waiting)|processes)\{class="(\w+)"\} ([1-9]\d*)$/gm)
  return [...lines]
    .map(([, kind, workClass, count]) => `${kind} ${workClass} ${count}`)
    .filter((line) => !/^(?:processes interactive|work_running starts) /.test(line))
}
