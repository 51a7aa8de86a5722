/** A name to look up, an index, or `it`. */
export type Step = string | number

export type Selector = ReadonlyArray<Step>

export type Node =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Print"; readonly selector: Selector }
  | { readonly _tag: "Each"; readonly selector: Selector; readonly body: Template }
  | { readonly _tag: "If"; readonly selector: Selector; readonly whenTrue: Template; readonly whenFalse: Template }

export type Template = ReadonlyArray<Node>
