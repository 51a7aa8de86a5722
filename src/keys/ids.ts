import { idIn } from "../kernel/streamIds.ts"

/** The ids of users' keys and of deploy keys are of one kind; each key has its own stream. */
const [userKeyPrefix, deployKeyPrefix] = ["key-", "deployKey-"]

/** The stream of a user's key. */
export const userKeyStream = (id: number): string => `${userKeyPrefix}${id}`
export const userKeyIdOf = (stream: string): number | undefined => idIn(userKeyPrefix, stream)

export const deployKeyStream = (id: number): string => `${deployKeyPrefix}${id}`
export const deployKeyIdOf = (stream: string): number | undefined => idIn(deployKeyPrefix, stream)
