import { LRUCache } from "lru-cache"
import type { Processes } from "../../platform/processes/Processes.ts"
import { GitFailed, type Repository } from "../Repository.ts"
import { type CatFile, type CatFileEnd, type CatFileRequest, openCatFile } from "./catFile.ts"

export interface PoolOptions {
  /** The highest number of processes, of which each repository has one. */
  readonly maxProcesses: number
  /** A process ends after this many milliseconds without a request. */
  readonly idleMillis: number
}

/** A pool with one process for each repository; the least recently used leave first. */
export interface CatFilePool {
  readonly ask: (repository: Repository, request: CatFileRequest) => void
  /** Whether a question needs no new process. */
  readonly has: (repository: Repository) => boolean
  /** Ends the process of a repository, when there is one; what was asked is still answered. */
  readonly release: (repository: Repository) => void
  /** Ends all processes; pending questions fail. */
  readonly close: () => void
}

/** A question is asked once more when the process died over it; questions behind it are asked again as often as needed. */
export const makeCatFilePool = (processes: Processes, { idleMillis, maxProcesses }: PoolOptions): CatFilePool => {
  /** The processes by path. Those that leave may still have requests to answer. */
  const catFiles = new LRUCache<string, CatFile>({ max: maxProcesses, dispose: (process) => process.retire() })
  const alive = new Set<CatFile>()
  let isClosed = false

  /** Decides about the requests of a process that died: it answers in order, so it died over the first one, or over the repository. */
  const onEnd = (repository: Repository, { failure, unanswered, wasReady }: CatFileEnd) => {
    unanswered.forEach((request, index) => {
      const isBlamed = failure.status !== 0 && (index === 0 || !wasReady)
      if (isBlamed) request.crashes += failure.exceeded === undefined ? 1 : 2
      if (isClosed || request.crashes > 1) request.resume(failure)
      else ask(repository, request)
    })
  }
  const open = (repository: Repository): CatFile => {
    const process = openCatFile(processes, repository, idleMillis, (end) => {
      alive.delete(process)
      if (catFiles.get(repository.path) === process) catFiles.delete(repository.path)
      onEnd(repository, end)
    })
    alive.add(process)
    return process
  }
  const ask = (repository: Repository, request: CatFileRequest) => {
    if (isClosed) return request.resume(new GitFailed({ command: "cat-file", status: null, stderr: "closed" }))
    const { path } = repository
    const process = catFiles.get(path) ?? open(repository)
    catFiles.set(path, process)
    process.ask(request)
  }
  const close = () => {
    isClosed = true
    catFiles.clear()
    for (const process of alive) process.kill()
  }
  return { ask, has: ({ path }) => catFiles.has(path), release: ({ path }) => void catFiles.delete(path), close }
}
