/**
 * An SQL expression: whether a reactor has finished with what is at a position of the log, which may take a moment to be told. Where the
 * reactor has never run it begins behind that, and there is nothing to wait for.
 */
export const hasReacted = (reactor: string, position: string): string => `coalesce((
  select _r.position >= ${position} or (coalesce(_r.read_to, 0) >= ${position} and ${position} <> all(_r.unfinished))
  from chronoforge.reactions _r where _r.name = '${reactor}'), true)`
