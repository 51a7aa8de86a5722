import type { Moment } from "./dateTimes.ts"

/**
 * The vocabulary of parameter tables. One table per endpoint gives decoding, the exact error texts, OpenAPI and the
 * query of `Link` headers. `decodeParameters.ts` applies a table; `mergeParameters.ts` makes the raw object it is applied to.
 */

/**
 * `example` stands in samples that are made from the OpenAPI document. A required parameter has one, an optional one only where
 * a sample needs it: those that name something name what the samples that create things make on a new installation.
 */
interface Common {
  readonly required?: boolean
  readonly description?: string
  readonly deprecated?: boolean
}

export interface StringParameter extends Common {
  readonly kind: "string"
  readonly values?: ReadonlyArray<string>
  /** The texts that are taken, and what is said of any other one, a blank or absent one included. */
  readonly oneOf?: { readonly values: ReadonlyArray<string>; readonly otherwise: string }
  /** The pattern of the `is invalid` rule. */
  readonly pattern?: RegExp
  /** With false, a blank text is refused as `x is empty`, and an absent required one too, unless `missingIsEmpty` is false. */
  readonly allowBlank?: boolean
  readonly missingIsEmpty?: false
  readonly default?: string
  readonly example?: string
}
export interface IntegerParameter extends Common {
  readonly kind: "integer"
  readonly values?: ReadonlyArray<number>
  /** With false, nothing is refused as `x is empty`, and an absent required one too. */
  readonly allowBlank?: false
  /** The numbers that are refused as `x has a value not allowed`. */
  readonly forbidden?: ReadonlyArray<number>
  readonly default?: number
  readonly example?: number
}
/** The value is a number with or without a fraction. */
export interface FloatParameter extends Common {
  readonly kind: "float"
  readonly example?: number
}
export interface BooleanParameter extends Common {
  readonly kind: "boolean"
  readonly default?: boolean
  readonly example?: boolean
}
/** The value is decoded to milliseconds since 1970. */
export interface DateTimeParameter extends Common {
  readonly kind: "dateTime"
  readonly example?: string
}
/** A date and time whose zone counts. Decoded to a `Moment`. */
export interface MomentParameter extends Common {
  readonly kind: "moment"
  readonly example?: string
}
/** The value is decoded to `YYYY-MM-DD`. */
export interface DateParameter extends Common {
  readonly kind: "date"
  readonly example?: string
}
/** The value is an array or a comma-separated text, whose elements are trimmed. */
export interface StringListParameter extends Common {
  readonly kind: "stringList"
  /** With false, no element at all is refused as `x is empty`, and an absent required list too. */
  readonly allowBlank?: false
  /** A blank is none of them, whereas it is no element where any text is one. */
  readonly values?: ReadonlyArray<string>
  readonly example?: ReadonlyArray<string>
}
/** The value is an array or a comma-separated text; an element that is no number becomes 0. */
export interface IntegerListParameter extends Common {
  readonly kind: "integerList"
  readonly example?: ReadonlyArray<number>
}
/** The value is an array of objects. Errors of the fields name the element: `actions[0][file_path] is missing`. */
export interface HashListParameter extends Common {
  readonly kind: "hashList"
  readonly fields: ParameterTable
}
export interface HashParameter extends Common {
  readonly kind: "hash"
  readonly fields: ParameterTable
  /** Rules over several of the fields, whose texts stand behind those of the fields. */
  readonly groups?: ReadonlyArray<Omit<ParameterGroup, "before">>
}

export type Parameter =
  | StringParameter
  | IntegerParameter
  | FloatParameter
  | BooleanParameter
  | DateTimeParameter
  | MomentParameter
  | DateParameter
  | StringListParameter
  | IntegerListParameter
  | HashParameter
  | HashListParameter

/** Declaration order is the order of error texts. Path parameters are declared like the others, under the name in the path. */
export type ParameterTable = Readonly<Record<string, Parameter>>

export type GroupRule = "atLeastOneOf" | "exactlyOneOf" | "mutuallyExclusive" | "allOrNoneOf"

/** A rule over several names. Its text stands before that of the parameter `before`, at the end by default. */
export interface ParameterGroup {
  readonly rule: GroupRule
  readonly names: ReadonlyArray<string>
  readonly before?: string
  /** What is said of names that exclude each other, behind them, in place of the usual words. */
  readonly otherwise?: string
}

type Value<P extends Parameter> = P extends { readonly kind: "string" }
  ? P extends { readonly values: ReadonlyArray<infer V extends string> }
    ? V
    : string
  : P extends { readonly kind: "integer" | "float" }
    ? number
    : P extends { readonly kind: "boolean" }
      ? boolean
      : P extends { readonly kind: "dateTime" }
        ? number
        : P extends { readonly kind: "moment" }
          ? Moment
          : P extends { readonly kind: "date" }
            ? string
            : P extends { readonly kind: "stringList" }
              ? ReadonlyArray<string>
              : P extends { readonly kind: "integerList" }
                ? ReadonlyArray<number>
                : P extends { readonly kind: "hash"; readonly fields: infer F extends ParameterTable }
                  ? Decoded<F>
                  : P extends { readonly kind: "hashList"; readonly fields: infer F extends ParameterTable }
                    ? ReadonlyArray<Decoded<F>>
                    : never

/** A parameter with a default is always there; a required one is there but may be null unless blank is refused; others may be absent or null. */
export type Decoded<T extends ParameterTable> = {
  readonly [K in keyof T as T[K] extends { readonly default: unknown } | { readonly required: true } ? K : never]: T[K] extends
    | { readonly default: unknown }
    | { readonly allowBlank: false }
    | { readonly kind: "hash" | "hashList" | "stringList" | "integerList" }
    ? Value<T[K]>
    : Value<T[K]> | null
} & {
  readonly [K in keyof T as T[K] extends { readonly default: unknown } | { readonly required: true } ? never : K]?: Value<
    T[K]
  > | null
}
