import { ProjectEvent, projectCodec } from "#src/projects/events.ts"
import { projectStream } from "#src/projects/ids.ts"
import { namesOf } from "#src/projects/names.ts"
import { defaultSettings, type ProjectSettings } from "#src/projects/settings/settings.ts"
import { StarEvent, starCodec } from "#src/projects/stars/events.ts"
import { starStream } from "#src/projects/stars/ids.ts"
import { type PushEvent, pushCodec } from "#src/pushes/events.ts"
import { repositoryStream } from "#src/pushes/ids.ts"
import type { Random } from "../random.ts"
import { anyUser, type Group, groups, membersOf, shared, visibilityIn } from "./groups.ts"
import { numbers, type Story, story } from "./Story.ts"

export const projects = { first: 1, count: 10_000 }
const stars = 8_000

/** Seven in ten have something in their repository. */
export const isFilled = (id: number): boolean => id % 10 < 7

const settingsOf = (name: string, visibility: Group["visibility"], random: Random): ProjectSettings => ({
  ...defaultSettings(name),
  visibility,
  description: random.isAmong(0.7)
    ? `A ${name} that reads, checks and prints what others wrote. It is used by ${random.below(90)} others.`
    : null,
  topics: random.isAmong(0.3) ? [random.oneOf("compiler", "font", "kernel"), random.oneOf("fast", "small", "stable")] : [],
  ...(random.isAmong(0.1) && { wikiAccessLevel: "disabled" as const, issuesAccessLevel: random.oneOf("private", "disabled") }),
  ...(random.isAmong(0.2) && { mergeMethod: random.oneOf("ff", "rebase_merge") })
})

/** The events of a first push, with the protection of the default branch. */
const filled = (id: number, random: Random): ReadonlyArray<ProjectEvent> => {
  const grant = (grantId: number) => [{ id: grantId, accessLevel: 40 }]
  const branch = { id, kind: "branch" as const, name: "main", allowForcePush: false }
  return [
    ProjectEvent.cases.RepositoryFilled.make({ defaultBranch: "main" }),
    ProjectEvent.cases.RefProtected.make({ protection: { ...branch, push: grant(2 * id - 1), merge: grant(2 * id) } }),
    ...(random.isAmong(0.9) ? [ProjectEvent.cases.ReadmeChanged.make({ readme: "README.md" })] : [])
  ]
}

/** Seven in ten lie in groups, the others belong to users. */
const project = (id: number, all: ReadonlyArray<Group>, random: Random): Story => {
  const group = random.isAmong(0.7) ? all[random.below(all.length)] : undefined
  const creatorId = group?.ownerId ?? anyUser(random)
  const namespaceId = group?.id ?? creatorId
  const kind = random.oneOf(
    "parser",
    "renderer",
    "scheduler",
    "gateway",
    "archive",
    "index",
    "editor",
    "monitor",
    "ledger",
    "router"
  )
  const name = `${random.oneOf("Quiet", "Rapid", "Plain", "Open", "Tiny", "Solid")} ${kind} ${id}`
  const path = name.toLowerCase().replaceAll(" ", "-")
  const visibility = visibilityIn(group?.visibility ?? "public", random)
  const settings = settingsOf(name, visibility, random)
  const forkedFrom = id > 100 && random.isAmong(0.03) ? 1 + random.below(100) : null
  const events: ReadonlyArray<ProjectEvent> = [
    ProjectEvent.cases.ProjectCreated.make({ namespaceId, creatorId, path, defaultBranch: null, settings, forkedFrom }),
    ...(group === undefined
      ? [ProjectEvent.cases.MemberAdded.make({ userId: creatorId, accessLevel: 50, expiresAt: null, addedBy: creatorId })]
      : []),
    ...membersOf(creatorId, random.below(6), random),
    ...(id % 20 === 0 ? [shared(1_000 + id, groups.first + random.below(groups.count))] : []),
    ...(isFilled(id) ? filled(id, random) : []),
    ...(random.isAmong(0.05) ? [ProjectEvent.cases.ProjectArchived.make({})] : [])
  ]
  return story(projectCodec, projectStream(id), events, namesOf({ namespaceId, name, path }))
}

export const projectStories = (all: ReadonlyArray<Group>, random: Random): ReadonlyArray<Story> =>
  numbers(projects.first, projects.count).map((id) => project(id, all, random))

/** The push of the first commit, `tip`, to the repositories that have it, and stars: in no order. */
export const activityStories = (tip: string, random: Random): ReadonlyArray<Story> => {
  const push: PushEvent = { _tag: "RefsUpdated", updates: [{ ref: "refs/heads/main", before: null, after: tip }], options: [] }
  const pushes = numbers(projects.first, projects.count)
    .filter(isFilled)
    .map((id) => story(pushCodec, repositoryStream(id), [push]))
  const given = new Map<string, Story>()
  while (given.size < stars) {
    // A few projects have most of the stars.
    const star = {
      projectId: projects.first + Math.floor(projects.count * (random.below(1_000) / 1_000) ** 3),
      userId: anyUser(random)
    }
    given.set(starStream(star), story(starCodec, starStream(star), [StarEvent.cases.ProjectStarred.make(star)]))
  }
  return random.shuffled([...pushes, ...given.values()])
}
