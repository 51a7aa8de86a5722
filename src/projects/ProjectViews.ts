// Projects as other areas show them beside what is theirs.

export { presentAllSimple } from "./reads/view.ts"
export { SimpleProject } from "./shapes.ts"
