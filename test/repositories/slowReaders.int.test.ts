import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect, it } from "vitest"
import { succeed } from "#test/git/http/gitClient.ts"
import { emptyRepository } from "#test/support/git/gitFixtures.ts"
import { useStubbornClients } from "#test/support/processes/stubbornClients.ts"
import { takenIn } from "#test/support/processes/taken.ts"
import { rootToken, useService } from "#test/support/service.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { createProject, repositoryPath } from "./useCode.ts"

/** One place for whatever it is: who keeps it keeps out everybody. */
const service = useService({ INTERACTIVE_LIMITS: "places=1", TRANSFER_LIMITS: "places=1" })
const open = useStubbornClients()
const folder = temporaryFolder()

/** More than lies in the buffers of a connection. */
const noise = randomBytes(24 * 1024 * 1024)
let blob = ""

beforeAll(async () => {
  const path = await repositoryPath(service, await createProject(service, { path: "slow" }))
  const fixture = emptyRepository(path)
  const { commit } = fixture.commits([{ mark: "commit", ref: "refs/heads/main", files: { noise } }])
  blob = fixture.git(["rev-parse", "main:noise"])
  const tags = Array.from({ length: 150_000 }, (_, index) => `${commit} refs/tags/t${index}-${"x".repeat(100)}`).sort()
  writeFileSync(join(path, "packed-refs"), `# pack-refs with: peeled fully-peeled sorted \n${tags.join("\n")}\n`)
})

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
const blobPath = () => `/api/v4/projects/root%2Fslow/repository/blobs/${blob}/raw`
const advertisement = (program: string) => `/root/slow.git/info/refs?service=${program}`

it.each([
  ["a raw blob", () => blobPath(), noise.length],
  ["what there is to fetch", () => advertisement("git-upload-pack"), 24_000_000]
])("a slow reader of %s keeps no place, and gets all of it", async (_name, path, bytes) => {
  const client = await open(service.url, request(path()))
  await once(client.socket, "readable")
  await expect.poll(() => takenIn(service)).toEqual([])
  // Its answer is not at its end: the rest is more than the buffers of a connection hold.
  expect((await fetch(`${service.url}${blobPath()}`)).status).toBe(200)
  await succeed("clone", "--quiet", "--no-tags", `${service.url}/root/slow.git`, join(folder(), `beside-${bytes}`))
  const heard = await client.heard()
  expect(heard.length).toBeGreaterThan(bytes)
})

it("a raw blob is the one that was asked for", async () => {
  const answer = await fetch(`${service.url}${blobPath()}`, { headers: { "private-token": rootToken } })
  expect(Buffer.from(await answer.arrayBuffer()).equals(noise)).toBe(true)
})
