const prefix = /^(?:\[draft\]|\(draft\)|draft:)/i

/** Whether a title says that the merge request is not to be merged yet. */
export const isDraft = (title: string): boolean => prefix.test(title)

export const markDraft = (title: string): string => (isDraft(title) ? title : `Draft: ${title}`)

/** The title without one prefix and the blanks behind it. Where another prefix follows, it is still a draft. */
export const unmarkDraft = (title: string): string => (isDraft(title) ? title.replace(prefix, "").trimStart() : title)

/** Whether a commit that is pushed makes its merge request a draft: one that says so, or that is meant to be squashed into another. */
export const makesDraft = (commitTitle: string): boolean => /^(?:squash|fixup)! /.test(commitTitle) || isDraft(commitTitle)

const wipPrefixes = ["draft - ", "draft:", "[draft]", "(draft)"]

/** Whether the filter `wip` finds a title: the first of the prefixes makes none a draft today, as in the reference service. */
export const looksLikeDraft = (title: string): boolean => {
  const beginning = title.slice(0, 8).toLowerCase()
  return wipPrefixes.some((each) => beginning.startsWith(each))
}
