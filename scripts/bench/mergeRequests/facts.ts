/** How many there are; `BENCH_MERGE_REQUESTS` says another number. */
export const count = Number(process.env.BENCH_MERGE_REQUESTS ?? 100_000)

export const projects = 200

/** Those that are changed, one by each caller, and the one with a long history: the last of the first projects. */
export const changers = 32
export const historyLength = 10_000

/** The word that every thousandth has in its description, and the one that every twentieth has in its title. */
export const words = { rare: "chrysoprase", common: "scheduler" } as const

/** The id of each follows from its place; places go round the projects. */
export const keyAt = (place: number) => ({ projectId: 1 + (place % projects), iid: 1 + Math.floor(place / projects) })
