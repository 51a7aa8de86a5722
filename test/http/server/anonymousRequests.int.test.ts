import { expect, it } from "vitest"
import { holdReadsOfProjects } from "#test/support/people/holdUsers.ts"
import { rootToken, useService } from "#test/support/service.ts"

const service = useService({ ANONYMOUS_REQUESTS: "3" })

/** What the metrics tell of the requests without a token. */
const told = async () =>
  (await service.request("GET", "/-/metrics")).body
    ?.toString()
    .match(/^chronoforge_work_\w+\{class="anonymous"\} \d+$/gm)
    ?.map((line) => line.replace(/^chronoforge_work_/, "").replace('{class="anonymous"}', ""))

it("has places for some requests without a token at a time, and answers all others meanwhile", async () => {
  const release = await holdReadsOfProjects(service)
  // Two places are one address's share of three.
  const lists = Array.from({ length: 5 }, () => service.request("GET", "/projects", { token: null }))
  await expect.poll(told).toEqual(["running 2", "waiting 3", "refused_total 0"])
  const { status } = await service.request("GET", "/user", { token: rootToken })
  await release()
  expect([status, ...(await Promise.all(lists)).map((answer) => answer.status)]).toEqual([200, 200, 200, 200, 200, 200])
  await expect.poll(told).toEqual(["running 0", "waiting 0", "refused_total 0"])
})
