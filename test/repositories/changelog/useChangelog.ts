import { beforeAll } from "vitest"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import type { Signature } from "#test/support/git/gitImport.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import type { Received, Sent, TestService } from "#test/support/service.ts"
import { createProject, type ProjectOptions, repositoryPath } from "../useCode.ts"

/** Where the configuration lies. */
export const configPath = ".gitlab/changelog_config.yml"

/** A message with the trailer. */
export const changed = (title: string, category = "added", more = ""): string => `${title}\n\n${more}Changelog: ${category}\n`

/** An author at a fixed time. */
export const author = (name: string, email: string): Signature => ({ name, email, seconds: 1_700_000_000, offset: "+0000" })

export interface ChangelogProject extends GitFixture {
  readonly id: number
  readonly get: (query: Readonly<Record<string, string>>, sent?: Sent) => Promise<Received>
  readonly post: (json: Readonly<Record<string, unknown>>, sent?: Sent) => Promise<Received>
}

/** A project of root with an empty repository. */
export const changelogProject = async (service: TestService, input: ProjectOptions): Promise<ChangelogProject> => {
  const id = await createProject(service, input)
  const path = `/projects/${id}/repository/changelog`
  return {
    ...emptyRepository(await repositoryPath(service, id)),
    id,
    get: (query, sent) => service.request("GET", path, { query, ...sent }),
    post: (json, sent) => service.request("POST", path, { json, ...sent })
  }
}

/** Makes a project before the tests of the calling file or block, and something in it; known from the first test on. */
export const useChangelog = <Made>(
  service: TestService,
  input: ProjectOptions,
  make: (project: ChangelogProject) => Made | Promise<Made>
): (() => ChangelogProject & { readonly made: Made }) => {
  let known: (ChangelogProject & { readonly made: Made }) | undefined
  beforeAll(async () => {
    const project = await changelogProject(service, input)
    known = { ...project, made: await make(project) }
  })
  return () => {
    if (known === undefined) throw new Error("Known from the first test on")
    return known
  }
}

export const failed = (reason: string) => [422, { message: `Failed to generate the changelog: ${reason}` }]

export const newUser = async (service: TestService, name: string, attributes: Readonly<Record<string, unknown>> = {}) => {
  const id = await createUser(service, name, attributes)
  return { id, token: (await issueTokenFor(service, id)).text }
}
