import type { RevocationReason } from "./events.ts"

export interface Issue {
  readonly _tag: "Issue"
  readonly userId: number
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly expiresAt: string | null
  readonly digest: string
  readonly rotatedFrom: number | null
}

export type Command =
  | Issue
  | { readonly _tag: "NoteUse"; readonly day: string }
  | { readonly _tag: "Revoke"; readonly reason: RevocationReason }
  | { readonly _tag: "Rotate"; readonly successor: number }
