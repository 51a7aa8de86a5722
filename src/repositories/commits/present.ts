import type { Commit } from "../../git/objects/commit.ts"
import { isoTime } from "../../git/objects/signature.ts"
import { type Trailer, trailersOf } from "../../git/objects/trailers.ts"
import type { CommitShape, ComparedCommit } from "../shapes.ts"
import { titleOf } from "./messages.ts"

const shortId = (id: string): string => id.slice(0, 8)

const grouped = (trailers: ReadonlyArray<Trailer>): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries([...Map.groupBy(trailers, ({ key }) => key)].map(([key, group]) => [key, group.map(({ value }) => value)]))

/** Shows a commit; `projectUrl` is the web address of the project. Lists pass no trailers, because they show none. */
export const presentCommit = (
  commit: Commit,
  projectUrl: string,
  trailers: ReadonlyArray<Trailer> = trailersOf(commit.message)
): typeof CommitShape.Type => {
  const { author, committer, id, message, parents } = commit
  const committedDate = isoTime(committer)
  return {
    id,
    short_id: shortId(id),
    created_at: committedDate,
    parent_ids: parents,
    title: titleOf(message),
    message,
    author_name: author.name,
    author_email: author.email,
    authored_date: isoTime(author),
    committer_name: committer.name,
    committer_email: committer.email,
    committed_date: committedDate,
    trailers: Object.fromEntries(trailers.map(({ key, value }) => [key, value])),
    extended_trailers: grouped(trailers),
    web_url: `${projectUrl}/-/commit/${id}`
  }
}

export const presentComparedCommit = ({ author, committer, id, message }: Commit): typeof ComparedCommit.Type => ({
  id,
  short_id: shortId(id),
  title: titleOf(message),
  author_name: author.name,
  author_email: author.email,
  created_at: isoTime(committer)
})
