import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { readdir, readlink } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { emptyRepository } from "#test/support/git/gitFixtures.ts"
import { useStubbornClients } from "#test/support/processes/stubbornClients.ts"
import { takenIn } from "#test/support/processes/taken.ts"
import { rootToken, type TestService, useService } from "#test/support/service.ts"
import { createProject, repositoryPath } from "./useCode.ts"

const open = useStubbornClients()

/** More than lies in the buffers of a connection. */
const noise = randomBytes(24 * 1024 * 1024)

/** A public project with one large file. */
const makeProject = async (service: TestService) => {
  const id = await createProject(service, { path: "noise" })
  const fixture = emptyRepository(await repositoryPath(service, id))
  const { commit } = fixture.commits([{ mark: "commit", ref: "refs/heads/main", files: { noise } }])
  return { commit, blob: fixture.git(["rev-parse", "main:noise"]) }
}
type Project = Awaited<ReturnType<typeof makeProject>>

/** The files without a name in which archives and packs lie that are being sent. */
const spools = async (): Promise<number> => {
  const descriptors = await readdir("/proc/self/fd")
  const links = await Promise.all(descriptors.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => "")))
  return links.filter((link) => link.endsWith(".spool (deleted)")).length
}

/** The threads that compress. */
const threads = (): number => process.getActiveResourcesInfo().filter((type) => type === "MessagePort").length

const request = (line: string, headers: ReadonlyArray<string>, body = "") =>
  [`${line} HTTP/1.1`, "Host: x", "Connection: close", ...headers, "", body].join("\r\n")

const get = (path: string, headers: ReadonlyArray<string> = [`PRIVATE-TOKEN: ${rootToken}`]) =>
  request(`GET /api/v4/projects/root%2Fnoise/repository/${path}`, headers)

const fetchOf = ({ commit }: Project) => {
  const body = `0011command=fetch0001000dofs-delta0032want ${commit}\n0009done\n0000`
  const headers = ["Content-Type: application/x-git-upload-pack-request", "Git-Protocol: version=2"]
  return request("POST /root/noise.git/git-upload-pack", [...headers, `Content-Length: ${body.length}`], body)
}

const streams: ReadonlyArray<readonly [string, (project: Project) => string]> = [
  ["a blob", ({ blob }) => get(`blobs/${blob}/raw`)],
  ["a blob as JSON", ({ blob }) => get(`blobs/${blob}`)],
  ["a file", () => get("files/noise/raw?ref=main")],
  ["a file, of a stranger", () => get("files/noise/raw?ref=main", [])],
  ["a tar archive", () => get("archive.tar")],
  ["a gzip archive", () => get("archive.tar.gz")],
  ["a bzip2 archive", () => get("archive.tar.bz2")],
  ["a zip archive, of a stranger", () => get("archive.zip", [])],
  ["a pack", fetchOf]
]

/** A project with what its service has taken. */
const useProject = (settings: Readonly<Record<string, string>>) => {
  const service = useService({ CLIENT_IDLE_TIMEOUT: "1", ...settings })
  let project: Promise<Project> | undefined
  return {
    /** Reads the beginning of an answer. */
    begin: async (text: (project: Project) => string) => {
      project ??= makeProject(service)
      const client = await open(service.url, text(await project))
      await once(client.socket, "readable")
      return client
    },
    taken: async () => ({ places: await takenIn(service), spools: await spools(), threads: threads() })
  }
}
const nothing = { places: [], spools: 0, threads: 0 }

describe("a stream", () => {
  const { begin, taken } = useProject({ PACK_CACHE_SIZE: "0" })

  it.each(streams)("of %s leaves nothing taken when its client goes away", async (_name, text) => {
    const client = await begin(text)
    expect(await taken()).not.toEqual(nothing)
    client.socket.destroy()
    await expect.poll(taken).toEqual(nothing)
  })

  it("of any kind ends with its connection when its client stands still", async () => {
    const clients = await Promise.all(streams.map(([, text]) => begin(text)))
    expect(await taken()).not.toEqual(nothing)
    await Promise.all(clients.map((client) => client.letGo()))
    await expect.poll(taken).toEqual(nothing)
  })
})

describe("a pack that is shared", () => {
  const { begin, taken } = useProject({})
  /** It may be whole by then, and is kept for others. */
  const places = async () => (await taken()).places

  it("leaves nothing taken when its client goes away", async () => {
    const client = await begin(fetchOf)
    client.socket.destroy()
    await expect.poll(places).toEqual([])
  })

  it("leaves nothing taken when its client stands still", async () => {
    const client = await begin(fetchOf)
    await client.letGo()
    await expect.poll(places).toEqual([])
  })
})
