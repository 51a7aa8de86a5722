import { Effect } from "effect"
import { expect, it } from "vitest"
import { Repositories } from "#src/git/Repositories.ts"
import { gitFixture } from "#test/support/git/gitFixtures.ts"
import { useProjects } from "../useProjects.ts"

const { service, newProject } = useProjects()

it("after a database was put back that is older than the repositories, a new project gets none of them", async () => {
  const first = await newProject("first")
  const left = async (id: number) => {
    const made = await service.run(Repositories.use((repositories) => Effect.orDie(repositories.create(id, "main"))))
    const fixture = gitFixture(made)
    fixture.commits([{ mark: "secret", ref: "refs/heads/main", files: { secret: "1" } }])
    return () => fixture.git(["for-each-ref", "--format=%(refname)"]).trim()
  }
  const branches = [await left(first + 1), await left(first + 2)]
  const second = await newProject("second")
  expect(second).toBe(first + 3)
  const { body } = await service.request("GET", `/projects/${second}/repository/branches`)
  expect(body).toEqual([])
  expect(branches.map((branch) => branch())).toEqual(["refs/heads/main", "refs/heads/main"])
})
