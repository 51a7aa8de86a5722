import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, beforeAll } from "vitest"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { WorkingCopy } from "./gitClient.ts"
import { type GitService, startGitService } from "./gitService.ts"

/** A service for the tests of one file. `begin` makes the next repository, `group/<id>`, and a working copy with a first commit. */
export const useGitService = () => {
  const folder = temporaryFolder()
  let service: GitService | undefined
  let id = 0
  beforeAll(async () => {
    service = await startGitService(folder())
  })
  afterAll(() => service?.stop())
  const begin = async () => {
    if (service === undefined) throw new Error("the service is not started")
    id++
    await service.create(id)
    service.pushes.length = service.unrecorded.length = 0
    service.onPush = () => Effect.succeed([])
    const copy = await WorkingCopy.make(join(folder(), `copy-${id}`), `${service.url}/group/${id}.git`)
    return { copy, id, service }
  }
  return { begin, folder }
}

export type Begun = Awaited<ReturnType<ReturnType<typeof useGitService>["begin"]>>
