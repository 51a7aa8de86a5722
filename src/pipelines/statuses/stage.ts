/** The stage of what services outside say of a commit; it comes after all others. */
export const externalStage = "external"
export const externalStageIndex = 1_000_000
