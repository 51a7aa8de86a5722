/** Whether a text is the full id of an object: 40 hexadecimal digits in lower case. */
export const isObjectId = (text: string): boolean => /^[0-9a-f]{40}$/.test(text)

/** Stands for "nothing" where an id is expected, such as the old value of a new branch. */
export const zeroId = "0".repeat(40)

/** The tree without entries, which every repository has. */
export const emptyTreeId = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
