/** What is wrong with an attribute, in the words of the answer. */
export interface Fault<Attribute extends string = string> {
  readonly attribute: Attribute
  readonly text: string
}

/** Each of the texts as a fault of the attribute. */
export const faultsOf = <Attribute extends string>(
  attribute: Attribute,
  texts: ReadonlyArray<string>
): ReadonlyArray<Fault<Attribute>> => texts.map((text) => ({ attribute, text }))
