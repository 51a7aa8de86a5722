/** The text as it is, in HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** A paragraph without Markdown. */
export const paragraph = (text: string): string => `<p dir="auto">${escapeHtml(text)}</p>`
