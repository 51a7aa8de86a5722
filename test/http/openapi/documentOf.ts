import type { Endpoint } from "#src/http/Endpoint.ts"
import { type OpenApiOptions, openApi } from "#src/http/openapi/openapi.ts"
import { atOnce } from "#src/kernel/inSlices.ts"

/** The document of these endpoints. */
export const documentOf = (endpoints: ReadonlyArray<Endpoint>, options: OpenApiOptions) => atOnce(openApi(endpoints, options))
