/** Whether a title says that the merge request is not to be merged yet. */
export const isDraft = (title: string): boolean => /^(?:\[draft\]|\(draft\)|draft:)/i.test(title)
