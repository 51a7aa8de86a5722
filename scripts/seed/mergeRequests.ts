import type { Body } from "./client.ts"
import type { Person } from "./people.ts"
import { commit, type World } from "./project.ts"

/** A merge request as it was opened, with those who work on it. */
interface Opened {
  readonly world: World
  readonly number: number
  readonly path: string
  readonly branch: string
  readonly author: Person
  readonly reviewer: Person
}

/** What happens to a merge request after it was opened. */
type Fate = (opened: Opened) => Promise<unknown>

const say = ({ path, reviewer }: Opened, body: string) => reviewer.send("POST", `${path}/discussions`, { body })

const approve: Fate = ({ path, reviewer }) => reviewer.send("POST", `${path}/approve`)

/** Maintainers merge. */
const merge = async (opened: Opened, how: object = {}) => {
  const [maintainer] = opened.world.maintainers
  await approve(opened)
  await maintainer.send("PUT", `${opened.path}/merge`, { should_remove_source_branch: true, ...how })
}

const discuss = async (opened: Opened): Promise<Body> => {
  const thread = await say(opened, "Should this not be tested too?")
  await opened.author.send("POST", `${opened.path}/discussions/${thread.id}/notes`, { body: "It should: I am on it." })
  return thread
}

const settle: Fate = async (opened) => {
  const thread = await discuss(opened)
  await opened.author.send("PUT", `${opened.path}/discussions/${thread.id}`, { resolved: true })
}

const trackTime: Fate = async ({ author, number, path }) => {
  await author.send("POST", `${path}/time_estimate`, { duration: `${(number % 5) + 1}h` })
  await author.send("POST", `${path}/add_spent_time`, { duration: `${(number % 3) + 1}h 30m`, summary: "Most of it" })
}

/** The target branch changes the same file. */
const collide: Fate = async ({ branch, number, world: { maintainers, projectId } }) => {
  const file = { path: `notes/${number}.md`, content: `Not what ${branch} says.\n`, action: "create" } as const
  await commit(maintainers[0], projectId, "main", `Write note ${number} otherwise`, [file])
}

/** Every state, with how many merge requests end in it: 40 in all. */
export const fates: ReadonlyArray<{ readonly count: number; readonly isDraft?: true; readonly fate: Fate }> = [
  { count: 8, fate: merge },
  { count: 4, fate: (opened) => merge(opened, { squash: true }) },
  { count: 5, fate: ({ author, path }) => author.send("PUT", path, { state_event: "close" }) },
  { count: 4, isDraft: true, fate: trackTime },
  { count: 5, fate: collide },
  { count: 4, fate: discuss },
  { count: 3, fate: settle },
  { count: 4, fate: approve },
  { count: 3, fate: trackTime }
]

const labels = ["backend", "documentation", "performance"] as const

/** Opens a merge request and does to it what is to become of it. */
export const makeMergeRequest = async (world: World, number: number, { fate, isDraft }: (typeof fates)[number]) => {
  const { milestoneId, people, projectId, random } = world
  const [author, reviewer = author] = random.shuffled(people)
  if (author === undefined || reviewer === undefined) return
  const branch = `${author.username}/note-${number}`
  const file = { path: `notes/${number}.md`, content: `# Note ${number}\n\nBy ${author.username}.\n`, action: "create" } as const
  await commit(author, projectId, branch, `Write note ${number}`, [file], true)
  const { iid } = await author.send("POST", `/projects/${projectId}/merge_requests`, {
    source_branch: branch,
    target_branch: "main",
    title: `${isDraft === true ? "Draft: " : ""}Write note ${number}`,
    description: `What was missing in the notes:\n\n- [x] text\n- [ ] figures\n\nCloses #${number}`,
    assignee_id: author.id,
    reviewer_ids: [reviewer.id],
    labels: random.oneOf(...labels),
    milestone_id: milestoneId
  })
  const path = `/projects/${projectId}/merge_requests/${iid}`
  await fate({ world, number, path, branch, author, reviewer })
}
