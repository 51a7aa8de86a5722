// Projects as other areas show them beside what is theirs.

export { SimpleProject } from "./reads/shapes.ts"
export { presentAllSimple } from "./reads/view.ts"
