/** Whether a text has more characters than that, counted as the reference service counts them: by code points. */
export const isLongerThan = (text: string, maximum: number): boolean =>
  text.length > maximum && (text.length > 2 * maximum || [...text].length > maximum)
