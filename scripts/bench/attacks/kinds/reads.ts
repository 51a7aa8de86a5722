import type { Attack } from "../Attack.ts"
import { call, callers, readers } from "../callers.ts"

const repository = ({ id }: { readonly id: number }): string => `/projects/${id}/repository`

const treeBomb: Attack = {
  title: "a tree of 10,000 million files, read in every way",
  prepare: async (target) => async () => {
    const { attacker, bomb, url } = target
    const base = repository(bomb)
    // A move of a ref has the service count and maintain by itself.
    const headers = { "private-token": attacker.token }
    await call(0, { method: "POST", url: `${url}${base}/branches?branch=again-${Date.now()}&ref=main`, headers })
    const ways = [
      "/contributors?per_page=100",
      "/commits/main/diff?per_page=100",
      "/archive.tar.gz?sha=main",
      "/archive.zip?sha=main",
      "/tree?recursive=true&pagination=none",
      "/tree?recursive=true&per_page=100",
      "/commits?with_stats=true",
      "/compare?from=main~&to=main"
    ]
    await readers(10, target, [...ways.map((way) => `${base}${way}`), `/projects/${bomb.id}/languages`])
  }
}

const archives: Attack = {
  title: "2 archives of a tree of 10,000 million files",
  wantsArchives: true,
  prepare: async (target) => () => {
    const base = repository(target.bomb)
    return readers(2, target, [`${base}/archive.tar.gz?sha=main`, `${base}/archive.zip?sha=main`])
  }
}

const compares: Attack = {
  title: "40 compares of 990 renamed files",
  prepare: async (target) => () => {
    const { from, to } = target.renames
    return readers(40, target, [`${repository(target.renames)}/compare?from=${from}&to=${to}`])
  }
}

const distantCompares: Attack = {
  title: "4 compares of distant commits of a large history",
  prepare: async (target) => () => {
    const { pairs } = target.history
    return readers(
      4,
      target,
      pairs.map(({ from, to }) => `${repository(target.history)}/compare?from=${from}&to=${to}`)
    )
  }
}

const everyEndpoint: Attack = {
  title: "50 callers with the dearest request of every endpoint",
  asksEverything: true,
  prepare: async (target) => () => readers(50, target, target.requests)
}

/** Reads of everything, and every fourth time a write. */
const oneUser: Attack = {
  title: "200 callers with one user's token, who read everything and write",
  asksEverything: true,
  prepare: async (target) => () => {
    const { attacker, pushes, requests, url } = target
    const token = { "private-token": attacker.token }
    const write = (caller: number, index: number) =>
      call(caller, {
        method: "PUT",
        url: `${url}/projects/${pushes.id}`,
        headers: { ...token, "content-type": "application/json" },
        body: Buffer.from(JSON.stringify({ description: `${caller} ${index}` }))
      })
    return callers(200, (caller, index) =>
      index % 4 === 0
        ? write(caller, index)
        : call(caller, { url: `${url}${requests[(caller + index) % requests.length]}`, headers: token })
    )
  }
}

export const reads = { treeBomb, archives, compares, distantCompares, everyEndpoint, oneUser }
