import type { Databases } from "../database.ts"
import { makeRandom } from "../random.ts"
import { fill } from "./fill.ts"
import { groupStories, makeGroups } from "./groups.ts"
import { activityStories, projectStories } from "./projects.ts"
import { makeRepositories } from "./repositories.ts"
import { userStories } from "./users.ts"

/** What a service is started with. */
export interface Installation {
  readonly databaseUrl: string
  readonly dataDir: string
}

/**
 * Makes an installation of 10,000 projects with repositories, 500 groups and 5,000 users, which have members, stars and pushes: its
 * log, its read models, and its repositories in `dataDir`. It is the same each time, but for ids of events and times.
 */
export const makeInstallation = async (
  databases: Databases,
  { dataDir, name }: { readonly dataDir: string; readonly name: string }
): Promise<Installation> => {
  const databaseUrl = await databases.migrated(name)
  const tip = await makeRepositories(dataDir)
  const random = makeRandom(1)
  const groups = makeGroups(random)
  const parts = [userStories(random), groupStories(groups, random), projectStories(groups, random), activityStories(tip, random)]
  await fill(databaseUrl, parts)
  return { databaseUrl, dataDir }
}
