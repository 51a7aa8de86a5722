/** Milliseconds of processor time of this process, so that limits of time hold whatever else the machine does. */
export const cpuMillis = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1000
}
