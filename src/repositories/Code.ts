// What other areas may ask of the code of projects.
export { fileAt } from "./changelog/file.ts"
export { presentCommit } from "./commits/present.ts"
export { requireCommit } from "./commits/view.ts"
export { type OpenRepository, openRepository } from "./openRepository.ts"
export { branchCommit, tagTarget } from "./refs/requireRef.ts"
export { commitOf, commitOrDefault } from "./revision.ts"
export { CommitShape } from "./shapes.ts"
