import { Effect } from "effect"
import type { Handled } from "../platform/Commands.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { Projections } from "../platform/Projections.ts"
import { serviceUnavailable } from "./answer/errors.ts"

/** Waits until the read models show what a command wrote, so that the answer can be made from them. At most 10 seconds, then 503. */
export const awaitReadModels = Effect.fnUntraced(function* (written: Pick<Handled<unknown, unknown>, "position" | "stream">) {
  const projections = yield* Projections
  yield* projections
    .awaitPosition(written.position, written.stream)
    .pipe(
      Effect.mapError(({ parked, position }) =>
        serviceUnavailable(
          parked
            ? `503 Service Unavailable - the write is accepted at position ${position}, but its stream is parked and not shown`
            : `503 Service Unavailable - the write is accepted at position ${position}, but not yet shown`,
          1
        )
      )
    )
}, spanned("http.awaitReadModels"))
