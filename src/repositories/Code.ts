// What other areas may ask of the code of projects.
export { requireCommit } from "./commits/view.ts"
export { type OpenRepository, openRepository } from "./openRepository.ts"
export { branchCommit, tagTarget } from "./refs/requireRef.ts"
export { commitOrDefault } from "./revision.ts"
