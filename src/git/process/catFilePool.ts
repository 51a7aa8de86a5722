import { LRUCache } from "lru-cache"
import { GitFailed, type Repository } from "../Repository.ts"
import { type Asked, type CatFile, type CatFileEnd, openCatFile } from "./catFile.ts"

export interface PoolOptions {
  /** Processes at most; one a repository. */
  readonly maxProcesses: number
  /** Milliseconds without a question after which a process ends. */
  readonly idleMillis: number
}

/** One process a repository, the least recently asked leave first. */
export interface CatFilePool {
  readonly ask: (repository: Repository, asked: Asked) => void
  /** Ends the process of a repository, when there is one; what was asked is still answered. */
  readonly release: (repository: Repository) => void
  /** Ends all; questions that are open fail. */
  readonly close: () => void
}

/** A question is asked once more when the process died over it; questions behind it are asked again as often as needed. */
export const makeCatFilePool = ({ idleMillis, maxProcesses }: PoolOptions): CatFilePool => {
  /** By path. Those that leave may still have questions to answer. */
  const processes = new LRUCache<string, CatFile>({ max: maxProcesses, dispose: (process) => process.retire() })
  const living = new Set<CatFile>()
  let isClosed = false

  /** It answers in order, so that it died over the first question, or over the repository. */
  const ended = (repository: Repository, { failure, unanswered, wasReady }: CatFileEnd) => {
    unanswered.forEach((asked, index) => {
      const isBlamed = failure.status !== 0 && (index === 0 || !wasReady)
      if (isBlamed) asked.deaths += failure.exceeded === undefined ? 1 : 2
      if (isClosed || asked.deaths > 1) asked.resume(failure)
      else ask(repository, asked)
    })
  }
  const open = (repository: Repository): CatFile => {
    const process = openCatFile(repository, idleMillis, (end) => {
      living.delete(process)
      if (processes.get(repository.path) === process) processes.delete(repository.path)
      ended(repository, end)
    })
    living.add(process)
    return process
  }
  const ask = (repository: Repository, asked: Asked) => {
    if (isClosed) return asked.resume(new GitFailed({ command: "cat-file", status: null, stderr: "closed" }))
    const { path } = repository
    const process = processes.get(path) ?? open(repository)
    processes.set(path, process)
    process.ask(asked)
  }
  const close = () => {
    isClosed = true
    processes.clear()
    for (const process of living) process.kill()
  }
  return { ask, release: ({ path }) => void processes.delete(path), close }
}
