import { Gitlab } from "@gitbeaker/rest"
import { expect, it } from "vitest"
import { useInstallation } from "#test/cli/useInstallation.ts"
import { field } from "#test/support/exactly.ts"
import { rootToken } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"

const installation = useInstallation()
const clientOf = (token: string) => new Gitlab({ host: installation.url, token })

type Client = ReturnType<typeof clientOf>

/** A user with a token who may push to the project. */
const developer = async (root: Client, project: number, username: string) => {
  const user = await root.Users.create({
    username,
    name: username,
    email: `${username}@example.com`,
    forceRandomPassword: true,
    skipConfirmation: true
  })
  const { body } = await installation.request("POST", `/users/${user.id}/personal_access_tokens`, {
    json: { name: "client", scopes: ["api"] }
  })
  await root.ProjectMembers.add(project, 30, { userId: user.id })
  return { id: user.id, client: clientOf(String(field(body, "token"))) }
}

const update = (client: Client, project: number, branch: string, content: string, startBranch?: string) =>
  client.Commits.create(project, branch, `Say ${content.trim()}`, [{ action: "update", filePath: "README.md", content }], {
    ...(startBranch !== undefined && { startBranch })
  })

it("a client leads a merge request through its life", async () => {
  const root = clientOf(rootToken)
  const { id: project } = await root.Projects.create({ name: "Life", initializeWithReadme: true, defaultBranch: "main" })
  const [author, reviewer] = [await developer(root, project, "author"), await developer(root, project, "reviewer")]
  const { MergeRequests } = author.client
  const shown = () => MergeRequests.show(project, 1, { includeRebaseInProgress: true })

  await update(author.client, project, "topic", "One\nTwo\n", "main")
  await author.client.Commits.create(project, "topic", "Add a file", [{ action: "create", filePath: "a.txt", content: "a\n" }])
  const created = await MergeRequests.create(project, "topic", "main", "Draft: Say more", {
    assigneeId: author.id,
    labels: "speech,text",
    removeSourceBranch: true,
    reviewerIds: [reviewer.id]
  })
  expect(created).toMatchObject({ iid: 1, draft: true, labels: ["speech", "text"], reviewers: [{ username: "reviewer" }] })
  expect(await MergeRequests.edit(project, 1, { title: "Say more" })).toMatchObject({
    draft: false,
    detailed_merge_status: "mergeable"
  })

  const thread = await reviewer.client.MergeRequestDiscussions.create(project, 1, "Why two?")
  await author.client.MergeRequestDiscussions.addNote(project, 1, thread.id, "Because one is not enough.")
  await reviewer.client.MergeRequestDiscussions.resolve(project, 1, thread.id, true)
  expect(await shown()).toMatchObject({ user_notes_count: 2, blocking_discussions_resolved: true })
  await reviewer.client.MergeRequestApprovals.approve(project, 1)
  expect(await reviewer.client.MergeRequestApprovals.showConfiguration(project, { mergerequestIId: 1 })).toMatchObject({
    user_has_approved: true
  })

  const pushed = await author.client.Commits.create(project, "topic", "Add another", [
    { action: "create", filePath: "b.txt", content: "b\n" }
  ])
  await until(async () => (await shown()).sha === pushed.id)
  expect(await MergeRequests.allCommits(project, 1)).toHaveLength(3)

  await root.Commits.create(project, "main", "Add c", [{ action: "create", filePath: "c.txt", content: "c\n" }])
  await MergeRequests.rebase(project, 1)
  await until(async () => {
    const { merge_error: error, rebase_in_progress: isRunning, sha } = await shown()
    expect(error).toBeNull()
    return isRunning === false && sha !== pushed.id
  })

  await update(root, project, "main", "One\nThree\n")
  await until(async () => (await shown()).has_conflicts)
  expect(await shown()).toMatchObject({ merge_status: "cannot_be_merged", detailed_merge_status: "conflict" })
  await update(author.client, project, "topic", "One\nThree\n")
  await until(async () => (await shown()).detailed_merge_status === "mergeable")

  const merged = await root.MergeRequests.merge(project, 1, { squash: true, shouldRemoveSourceBranch: true })
  expect(merged).toMatchObject({ state: "merged", merged_by: { username: "root" }, squash_commit_sha: expect.any(String) })
  await until(async () => {
    const branches = await root.Branches.all(project)
    return branches.every(({ name }) => name !== "topic")
  })
  const files = await root.Repositories.allRepositoryTrees(project)
  expect(files.map(({ name }) => name)).toEqual(["README.md", "a.txt", "b.txt", "c.txt"])
})
