import { isLongerThan } from "../../kernel/characters.ts"

const maxNameLength = 255

/** What is wrong with the name of a pipeline; undefined for nothing. */
export const nameFault = (name: string | null): string | undefined =>
  isLongerThan(name ?? "", maxNameLength) ? `is too long (maximum is ${maxNameLength} characters)` : undefined
