/** A time at which a schedule is due: in milliseconds since 1970. */
export interface SlotId {
  readonly scheduleId: number
  readonly at: number
}

const pattern = /^scheduleSlot-(\d{1,15})-(\d{1,15})$/

/**
 * The stream of a slot. A slot has a stream of its own, so that it is started once, whoever finds it due, and the stream of a schedule
 * that runs every minute for years stays short.
 */
export const slotStream = ({ at, scheduleId }: SlotId): string => `scheduleSlot-${scheduleId}-${at}`

/** The slot whose stream this is; undefined for a stream of anything else. */
export const slotIdOf = (stream: string): SlotId | undefined => {
  const [, scheduleId, at] = pattern.exec(stream) ?? []
  return scheduleId === undefined ? undefined : { scheduleId: Number(scheduleId), at: Number(at) }
}
