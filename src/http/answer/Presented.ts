import type { Schema } from "effect"

/** Any JSON, in which fields may be undefined. */
type PresentedJson =
  | null
  | boolean
  | number
  | string
  | ReadonlyArray<PresentedJson>
  | { readonly [key: string]: PresentedJson | undefined }

/** A body as it is presented: what is undefined is not sent, so that a field that may be absent may also be undefined. */
export type Presented<T> = Schema.Json extends T
  ? PresentedJson
  : T extends ReadonlyArray<infer Element>
    ? ReadonlyArray<Presented<Element>>
    : T extends object
      ? {
          readonly [K in keyof T]: object extends Pick<T, K>
            ? Presented<T[K]> | undefined
            : string extends K
              ? Presented<T[K]> | undefined
              : Presented<T[K]>
        }
      : T
