// What other areas may use of labels. `LabelCounts.ts` is what labels ask of them.
export { ensureLabels } from "./ensureLabels.ts"
export type { CountLabels } from "./LabelCounts.ts"
export { presentDetails } from "./present.ts"
export { LabelQueries, type LabelRow } from "./Queries.ts"
export { LabelDetails } from "./shapes.ts"
