import { Schema } from "effect"
import { git } from "../plainGit.ts"
import { ask, type Service } from "../service.ts"
import type { Hosted, Requests } from "./Attack.ts"
import { write } from "./repositories.ts"

/** So many merge requests wait for the same branch, `main`, and so many for `release`. */
const [waiting, mergeable] = [1_000, 200]
const filesOfLarge = 5_000

const topics = Array.from({ length: waiting + mergeable }, (_, index) => `topic-${index}`)

function* commits() {
  yield { files: [{ path: "README", text: "read me\n" }] }
  yield { branch: "release", files: [{ path: "RELEASE", text: "1\n" }] }
  for (const branch of topics) yield { branch, files: [{ path: `src/${branch}.txt`, text: `${branch}\n` }] }
  const files = Array.from({ length: filesOfLarge }, (_, index) => ({
    path: `large/${index % 50}/file-${index}.txt`,
    text: Array.from({ length: 20 }, (_, line) => `line ${line} of file ${index}\n`).join("")
  }))
  yield { branch: "large", files }
}

const Opened = Schema.Struct({ iid: Schema.Int })

/** Opens merge requests of these branches, some at a time; the number of each. */
const open = async (service: Service, { id }: Hosted, target_branch: string, branches: ReadonlyArray<string>) => {
  const left = [...branches]
  const iids: Array<number> = []
  const openAll = async () => {
    for (let source_branch = left.pop(); source_branch !== undefined; source_branch = left.pop()) {
      const body = { title: `Merge ${source_branch}`, source_branch, target_branch }
      const opened = await ask(service, "POST", `/projects/${id}/merge_requests`, body)
      iids.push(Schema.decodeUnknownSync(Opened)(opened).iid)
    }
  }
  await Promise.all(Array.from({ length: 8 }, openAll))
  return iids
}

/** Fills a project with branches, and opens their merge requests. `remote` is its URL for git, with credentials. */
export const openRequests = async (service: Service, project: Hosted, remote: string, folder: string): Promise<Requests> => {
  await write(folder, commits())
  await git(folder, "push", "--quiet", remote, "refs/heads/*:refs/heads/*")
  const toMain = await open(service, project, "main", topics.slice(0, waiting))
  const toRelease = await open(service, project, "release", topics.slice(waiting))
  const [large = Number.NaN] = await open(service, project, "main", ["large"])
  return { project, waiting: toMain, mergeable: toRelease, large }
}
