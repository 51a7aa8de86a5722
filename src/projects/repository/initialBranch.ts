/** What a new repository calls its first branch when nobody wishes otherwise. */
export const initialBranch = "main"
