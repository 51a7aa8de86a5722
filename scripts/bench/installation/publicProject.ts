import { ProjectEvent, projectCodec } from "#src/projects/events.ts"
import { projectStream } from "#src/projects/ids.ts"
import { namesOf } from "#src/projects/names.ts"
import { defaultSettings } from "#src/projects/settings/settings.ts"
import { type Story, story } from "./Story.ts"

/** A public project of root's, which has something in its repository. */
export const publicProject = (id: number): Story => {
  const [name, path] = [`Project ${id}`, `project-${id}`]
  const settings = { ...defaultSettings(name), visibility: "public" as const }
  const events = [
    ProjectEvent.cases.ProjectCreated.make({
      namespaceId: 1,
      creatorId: 1,
      path,
      defaultBranch: null,
      settings,
      forkedFrom: null
    }),
    ProjectEvent.cases.MemberAdded.make({ userId: 1, accessLevel: 50, expiresAt: null, addedBy: 1 }),
    ProjectEvent.cases.RepositoryFilled.make({ defaultBranch: "main" })
  ]
  return story(projectCodec, projectStream(id), events, namesOf({ namespaceId: 1, name, path }))
}
