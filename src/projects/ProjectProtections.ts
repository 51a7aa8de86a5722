/** What other areas may do about protected branches and tags, and about the first push, which protects one. */

export { protecting } from "./protectionFaults.ts"
export { type DeveloperAccess as DevelopersMay, protectBranch, unprotectBranch } from "./protections/branchProtection.ts"
export { allowsDeveloperInitialPush as letsDevelopersBegin, DefaultProtections } from "./protections/DefaultProtections.ts"
export { noteReadme, pointHead, presenceOf, protectDefaultBranch } from "./protections/firstPush.ts"
export { initialBranch } from "./repository/initialBranch.ts"
