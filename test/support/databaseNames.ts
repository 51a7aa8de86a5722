/** The database that fresh ones are copied from: all migrations, no rows. Nothing may stay connected to it. */
export const templateName = "chronoforge_template"

/** The database that those of services are copied from: all tables of read models too. */
export const serviceTemplateName = "chronoforge_service_template"

/** The URL of another database on the same server. */
export const withDatabase = (url: string, name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href
