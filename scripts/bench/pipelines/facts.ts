/** The large project, and the others, each with as many pipelines as another one. */
export const projects = { large: 1, others: 20 }
export const pipelines = { ofLarge: 80_000, ofOther: 1_000 }
export const jobsOfPipeline = 3

/** The first schedule is one of the large project. */
export const schedules = { ofLarge: 1_000, ofOther: 450 }

/** The pipelines of the large project that the first schedule made. */
export const runs = 10_000

/** Values of few pipelines of the large project, its oldest ones. */
export const rare = { count: 20, ref: "before-the-flood", source: "trigger", name: "Release 1.0", status: "manual" } as const
