/** The database that fresh ones are copied from: all migrations, no rows. Nothing may stay connected to it. */
export const templateName = "chronoforge_template"

/** The URL of another database on the same server. */
export const withDatabase = (url: string, name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href
