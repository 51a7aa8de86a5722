import { Effect } from "effect"
import { beforeAll } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { field } from "#test/support/exactly.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import { standardRepository } from "#test/support/git/gitStandard.ts"
import type { TestService } from "#test/support/service.ts"

export interface ProjectOptions {
  readonly path: string
  /** Default: a public project. */
  readonly settings?: Readonly<Record<string, unknown>>
  readonly forkedFrom?: number
  /** Access levels by user. */
  readonly members?: Readonly<Record<number, number>>
}

const post = async (service: TestService, path: string, json: Readonly<Record<string, unknown>>): Promise<number> => {
  const { body, status } = await service.request("POST", path, { json })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return Number(field(body, "id"))
}

/** Creates a project of root with an empty repository, or as a fork. Answers its id. */
export const createProject = async (service: TestService, input: ProjectOptions): Promise<number> => {
  const { forkedFrom, members = {}, path, settings = {} } = input
  const at = forkedFrom === undefined ? "/projects" : `/projects/${forkedFrom}/fork`
  const id = await post(service, at, { path, name: path, visibility: "public", ...settings })
  for (const [user_id, access_level] of Object.entries(members)) {
    await post(service, `/projects/${id}/members`, { user_id, access_level })
  }
  return id
}

/** Creates a project whose repository is gone. */
export const createBareProject = async (service: TestService, path: string): Promise<number> => {
  const id = await createProject(service, { path })
  await service.run(Repositories.use((repositories) => repositories.remove(id)))
  return id
}

/** Where the repository of a project lies. */
export const repositoryPath = (service: TestService, id: number): Promise<string> =>
  service.run(Repositories.use((repositories) => Effect.succeed(repositories.of(id).path)))

export interface Code<F> {
  readonly id: number
  readonly fixture: F
}

/** Creates a project before the tests of the file, with a repository that `make` puts at a path; known from the first test on. */
const useMade = <F extends GitFixture>(
  service: TestService,
  input: ProjectOptions,
  make: (path: string) => F
): (() => Code<F>) => {
  let code: Code<F> | undefined
  beforeAll(async () => {
    const id = await createProject(service, input)
    code = { id, fixture: make(await repositoryPath(service, id)) }
  })
  return () => {
    if (code === undefined) throw new Error("Known from the first test on")
    return code
  }
}

export const useStandardCode = (service: TestService, input: ProjectOptions = { path: "standard" }) =>
  useMade(service, input, standardRepository)
export const useEmptyCode = (service: TestService, input: ProjectOptions) => useMade(service, input, emptyRepository)

export const projectNotFound = { message: "404 Project Not Found" }
export const forbidden = { message: "403 Forbidden" }
