/** Whether the message of a commit says that a push of it makes no pipeline: `[skip ci]`, `[ci skip]`, also with `-` or `_`, in any case. */
export const skipsCi = (message: string): boolean => /\[(?:ci[ _-]skip|skip[ _-]ci)\]/i.test(message)
