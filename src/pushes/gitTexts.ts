import type { GitTexts } from "../git/http/access.ts"

/** What clients of git are told where there is no repository, or no answer. */
export const gitTexts: GitTexts = {
  nothing: "There is nothing here.",
  service: "The command you're trying to execute is not allowed. This service speaks the smart HTTP protocol of git only.",
  wiki: "Wikis are not part of this service.",
  largeFiles: "Large-file storage (Git LFS) is not part of this service.",
  missing: "A repository for this project does not exist yet.",
  busy: "The service is busy. Try again in a moment.",
  broken: "The request could not be answered."
}

/** How a client has to say who asks. The realm is that of the reference, under which clients keep their passwords. */
export const challengeHeaders = { "www-authenticate": 'Basic realm="GitLab"' } as const
