export type State = { readonly _tag: "Unstarred" } | { readonly _tag: "Starred" }

export const initial: State = { _tag: "Unstarred" }
