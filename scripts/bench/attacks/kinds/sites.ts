import { gzipSync } from "node:zlib"
import { pack } from "tar-stream"
import type { Attack } from "../Attack.ts"
import { call, callers } from "../callers.ts"
import { silentAfter } from "./slowClients.ts"

const mebibyte = 1024 * 1024

type Files = ReadonlyArray<readonly [name: string, content: string | Buffer]>

/** A packed tar of these files. */
const archiveOf = async (files: Files): Promise<Buffer> => {
  const archive = pack()
  for (const [name, content] of files) archive.entry({ name }, content)
  archive.finalize()
  const pieces: Array<Buffer> = []
  for await (const piece of archive as AsyncIterable<Buffer>) pieces.push(piece)
  return gzipSync(Buffer.concat(pieces))
}

const manyFiles = (): Files => Array.from({ length: 5_000 }, (_, index) => [`folder-${index % 100}/page-${index}.html`, "x"])
const zeros = (): Files => [["zeros", Buffer.alloc(256 * mebibyte)]]

const siteUploads: Attack = {
  title: "40 sites of 5,000 files, 40 of 256 MiB of zeros, and 40 that stop on the way, of one user",
  prepare: async ({ attacker, renames, url }) => {
    const [many, bomb] = [await archiveOf(manyFiles()), await archiveOf(zeros())]
    const kinds = [
      () => ({ bytes: many.length, body: many }),
      () => ({ bytes: bomb.length, body: bomb }),
      () => ({ bytes: 90 * mebibyte, body: silentAfter(bomb) })
    ]
    return () =>
      callers(120, (caller) => {
        const { body, bytes } = kinds[caller % kinds.length]?.() ?? { bytes: 0, body: many }
        const headers = { "private-token": attacker.token, "content-length": String(bytes) }
        const target = `${url}/projects/${renames.id}/pages/deployments?path_prefix=p${caller % 50}`
        return call(caller, { method: "POST", url: target, headers, body })
      })
  }
}

const siteReads: Attack = {
  title: "200 visitors without a token of deep paths of sites that are not there",
  prepare: async ({ renames, url }) => {
    const { origin } = new URL(url)
    const deep = Array.from({ length: 400 }, (_, index) => `n${index}`).join("/")
    const paths = [`${renames.path}/${deep}`, deep, `${renames.path}/`, "nobody-0123456789ab/"]
    return () =>
      callers(200, (caller, index) => call(caller, { url: `${origin}/-/pages-site/${paths[(caller + index) % paths.length]}` }))
  }
}

/** Of those who publish and visit sites. */
export const sites = { siteUploads, siteReads }
