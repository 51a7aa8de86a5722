/** The name of the first branch of a new repository unless the request names another. */
export const initialBranch = "main"
