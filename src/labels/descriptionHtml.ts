const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }

/** A description as HTML. Gap: Markdown in it is shown as it was written. */
export const descriptionHtml = (description: string): string => description.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
