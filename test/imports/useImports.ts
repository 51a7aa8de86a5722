import { Effect, Schedule } from "effect"
import { runImports } from "#src/imports/work/runImports.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Projections } from "#src/platform/Projections.ts"
import { type ImportRow, ProjectImports } from "#src/projects/ProjectImports.ts"
import { useProjects } from "../projects/useProjects.ts"

/** A running service that imports while it is waited for, and short ways to its projects. */
export const useImports = (env: Readonly<Record<string, string>> = {}) => {
  const projects = useProjects({ IMPORT_ALLOW_PRIVATE: "true", ...env })
  const { service } = projects
  const find = (id: number) => service.run(ProjectImports.use((imports) => imports.find(id)))
  const isOver = (row: ImportRow | undefined) => row?.status === "finished" || row?.status === "failed"
  return {
    ...projects,
    find,
    schedule: (id: number, address: string) =>
      service.run(
        Effect.gen(function* () {
          const { position } = yield* ProjectImports.use((imports) => imports.schedule(id, address))
          yield* Projections.use((projections) => projections.awaitPosition(position))
        })
      ),
    probe: (address: string) =>
      service.run(
        ProjectImports.use((imports) => imports.probe(address)).pipe(
          Effect.as("reachable"),
          Effect.catchTag("ImportRefused", ({ message }) => Effect.succeed(message))
        )
      ),
    /** Imports until the import of this project is over, or until what is given is. */
    importing: (id: number, until: Effect.Effect<unknown> = Effect.never) =>
      service.run(
        Effect.gen(function* () {
          const { find: look } = yield* ProjectImports
          const over = Effect.repeat(look(id), { until: isOver, schedule: Schedule.spaced("50 millis") })
          return yield* Effect.raceFirst(Effect.raceFirst(over, Effect.as(until, undefined)), runImports)
        })
      ),
    events: (id: number) =>
      service.run(
        Effect.map(
          EventStore.use((store) => store.read(`import-${id}`)),
          // How far it has come is noted where it takes more than some seconds.
          (events) => events.filter(({ type }) => type !== "ImportProgressed").map(({ data, type }) => [type, data])
        )
      )
  }
}
