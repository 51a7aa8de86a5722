import type { Schema } from "effect"
import type { JsonStream, RawBody } from "./Reply.ts"

type KeysOf<T> = T extends unknown ? keyof T : never
type ValueOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never
type ElementOf<T> = T extends ReadonlyArray<infer E> ? E : never
/** The members of the union `B` that a value of type `X` fits. */
type Fitting<X, B> = B extends unknown ? (X extends B ? B : never) : never

type ExtraIn<X, B> = { readonly [K in keyof X]-?: K extends KeysOf<B> ? ExtraKeys<X[K], ValueOf<B, K>> : K }[keyof X]

/**
 * The keys, at any depth, that values of type `X` may have and those of type `B` have not; never for none. Of what is `any`, all are.
 * Where `B` is any JSON, none are.
 */
type ExtraKeys<X, B> = 0 extends 1 & X
  ? "any"
  : Schema.Json extends B
    ? never
    : X extends string | number | boolean | null | undefined
      ? never
      : X extends JsonStream<infer Y>
        ? ExtraKeys<Y, B extends JsonStream<infer C> ? C : never>
        : X extends RawBody
          ? never
          : X extends ReadonlyArray<infer E>
            ? ExtraKeys<E, ElementOf<B>>
            : ExtraIn<X, Fitting<X, B>>

/** Holds for types without keys beyond those of `B`, which assignability lets through; otherwise it names them. */
export type WithoutExtraKeys<X, B> = [ExtraKeys<X, B>] extends [never]
  ? unknown
  : { readonly "the declared body has no such key": ExtraKeys<X, B> }
