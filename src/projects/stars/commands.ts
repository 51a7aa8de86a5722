import type { StarId } from "./ids.ts"

export type Command = ({ readonly _tag: "Star" } & StarId) | ({ readonly _tag: "Unstar" } & StarId)
