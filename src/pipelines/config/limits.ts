// Whatever a configuration holds, compiling it takes less than a second of processor time and a few dozen MiB. What goes beyond
// one of these limits is told as a fault of the configuration.

/** Characters of one file. */
export const maxFileLength = 1024 * 1024

/** Characters of all files together. */
export const maxTotalLength = 5 * 1024 * 1024

/** Tokens of YAML in all files together. Ten lines of a usual job are about a hundred of them. */
export const maxTokens = 120_000

/** Lists and maps within one another, in one file and with its aliases followed. */
export const maxDepth = 100

/**
 * The weight of one file with its aliases followed, as `weightOf` counts it: the reference has this limit in bytes of memory, and a value
 * takes 40 of those.
 */
export const maxFileWeight = 2 * 1024 * 1024

/** The included files of a configuration, each counted as often as it is included. */
export const maxIncludes = 150

/** Jobs that extend one another in a chain. */
export const maxExtends = 11

/** References within what references stand for. */
export const maxReferences = 10

/** Lists within one another in a script, a list of stages or of rules. */
export const maxNesting = 10

/** Values that are visited, copied and compared once the files are read. */
export const maxSteps = 400_000

/** Jobs that are no templates, before rules decide and with every parallel one counted. */
export const maxDefinedJobs = 5_000

/** Jobs of a pipeline. */
export const maxJobs = 500

/** The weight of all jobs of a pipeline together, as `weightOf` counts it. */
export const maxPlanWeight = 4 * 1024 * 1024

/** Jobs that one job may need. */
export const maxNeeds = 50

/** Jobs that one may become by `parallel`. */
export const maxParallel = 200

/** Patterns of one `changes` or `exists`. */
export const maxGlobs = 50

/** Where paths and patterns make more pairs than this, they count as fitting, as in the reference. */
export const maxComparisons = 50_000

/** Characters of a regular expression. */
export const maxPatternLength = 4_000

/** Characters of a regular expression in which what is repeated a number of times is written out. */
export const maxRepeatedLength = 10_000

/** Instructions of a compiled regular expression. */
export const maxPatternSize = 5_000

/** Tokens of one expression in `if`. */
export const maxExpressionTokens = 100

/** Characters of a value in which other variables were replaced. */
export const maxExpandedLength = 64 * 1024

/** Faults that are told, and characters of each of them. */
export const maxFaults = 20
export const maxFaultLength = 1_000
