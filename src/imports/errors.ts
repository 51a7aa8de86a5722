import { Data } from "effect"

/** Something is being imported into the project already. */
export class ImportUnderWay extends Data.TaggedError("ImportUnderWay") {}

/** Nothing is being imported: it never was, or is over. */
export class ImportNotUnderWay extends Data.TaggedError("ImportNotUnderWay") {}

export type Refusal = ImportUnderWay | ImportNotUnderWay
