import { Schema } from "effect"
import { flag, nullableText, text, time, url } from "../http/answer/fields.ts"
import { projectId } from "../http/answer/references.ts"
import { endpoint } from "../http/Endpoint.ts"

const area = "pages"
const pages = "/projects/:id/pages" as const

const Deployment = Schema.Struct({
  created_at: time("When it was published."),
  url: url("Where it is shown."),
  path_prefix: text("The path below the address of the site; blank for the main one."),
  root_directory: nullableText("The folder of the archive that is shown; null for all of it.")
}).annotate({ identifier: "PagesDeployment" })

const Pages = Schema.Struct({
  url: url("The address of the site."),
  deployments: Schema.Array(Deployment).annotate({ description: "What is published, the main one first." }),
  is_unique_domain_enabled: flag("Whether the address is the site's own, not one below that of its namespace."),
  force_https: flag("Whether requests without encryption are redirected.")
}).annotate({ identifier: "Pages" })

export const readPages = endpoint({
  name: "pages.read",
  area,
  method: "GET",
  path: pages,
  summary: "Read how the site of a project is shown",
  description: "Maintainers may.",
  access: "anyone",
  parameters: { id: projectId },
  success: { status: 200, body: Pages },
  refusals: { 403: "The caller is no Maintainer, or the project has pages switched off." }
})

export const changePages = endpoint({
  name: "pages.change",
  area,
  method: "PATCH",
  path: pages,
  summary: "Change how the site of a project is shown",
  access: "validatedAdministrator",
  parameters: {
    id: projectId,
    pages_unique_domain_enabled: { kind: "boolean", description: "Whether the site has an address of its own." },
    pages_https_only: { kind: "boolean", description: "Whether requests without encryption are redirected." }
  },
  success: { status: 200, body: Pages },
  refusals: { 403: "The caller is no administrator, or the project has pages switched off." }
})

export const unpublishPages = endpoint({
  name: "pages.unpublish",
  area,
  method: "DELETE",
  path: pages,
  summary: "Unpublish the site of a project",
  description: "All its deployments go; the settings stay.",
  access: "administrator",
  parameters: { id: projectId },
  success: { status: 204 }
})

export const readPagesAccess = endpoint({
  name: "pages.readAccess",
  area,
  method: "GET",
  path: "/projects/:id/pages_access",
  summary: "Ask whether the caller may see the site of a project",
  access: "anyone",
  parameters: { id: projectId },
  success: { status: 200, body: Schema.Struct({}) },
  refusals: { 403: "The caller may not." }
})

export const deployPages = endpoint({
  name: "pages.deploy",
  area,
  method: "POST",
  path: `${pages}/deployments`,
  summary: "Publish a site",
  description:
    "The body is the archive itself, a zip or a tar that may be compressed with gzip. It takes the place of what has the same prefix. Maintainers may.",
  access: "user",
  takesFile: true,
  parameters: {
    id: projectId,
    path_prefix: {
      kind: "string",
      description:
        "The path below the address of the site, of letters in lower case, digits, `-` and `_`; blank for the main site."
    },
    root_directory: {
      kind: "string",
      description: "The folder of the archive that is shown, such as `public`; blank for all of it."
    }
  },
  success: { status: 201, body: Deployment },
  refusals: {
    400: "There is no archive, it cannot be unpacked or shown, or the project has as many deployments as it may have.",
    403: "The caller is no Maintainer, or the project has pages switched off or is archived."
  }
})
