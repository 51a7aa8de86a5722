/** A star, whether or not it was given. */
export interface StarId {
  readonly projectId: number
  readonly userId: number
}

/** The stream of one user's star at one project, so that stars neither wait for each other nor for the project. */
export const starStream = ({ projectId, userId }: StarId): string => `star-${projectId}-${userId}`
