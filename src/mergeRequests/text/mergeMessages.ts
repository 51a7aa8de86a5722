import { closesSentence, type MessageFacts } from "./messageFacts.ts"
import { renderTemplate } from "./messageTemplates.ts"

/** The parts with a blank line between them. */
const defaultMergeMessage = ({ issues, reference, sourceBranch, targetBranch, title }: MessageFacts): string =>
  [`Merge branch '${sourceBranch}' into '${targetBranch}'`, title, closesSentence(issues), `See merge request ${reference}`]
    .filter((part) => part !== "")
    .join("\n\n")

/** Gap: a template that makes no text at all is passed over, because git refuses commits without a message. */
const fromTemplate = (template: string | null, facts: MessageFacts): string | undefined => {
  const message = template === null ? "" : renderTemplate(template, facts)
  return message.trim() === "" ? undefined : message
}

/** The message of a merge commit for which none is given. The template is the project's. */
export const mergeCommitMessage = (template: string | null, facts: MessageFacts): string =>
  fromTemplate(template, facts) ?? defaultMergeMessage(facts)

/** The message of a squash commit for which none is given. */
export const squashCommitMessage = (template: string | null, facts: MessageFacts): string =>
  fromTemplate(template, facts) ?? facts.title
