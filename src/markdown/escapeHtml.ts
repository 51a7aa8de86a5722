const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** The text as it is, in HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? character)

/** A paragraph without Markdown. */
export const paragraph = (text: string): string => `<p dir="auto">${escapeHtml(text)}</p>`
