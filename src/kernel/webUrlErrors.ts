/** What is wrong with a URL that is not blank and must be one of http or https, in the words of the reference service. */
export const webUrlErrors = (url: string): ReadonlyArray<string> => {
  if (!/^https?:\/\//i.test(url)) return ["is blocked: Only allowed schemes are http, https"]
  return /\s/.test(url) || !URL.canParse(url) ? ["is blocked: URI is invalid"] : []
}
