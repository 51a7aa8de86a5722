/**
 * Milliseconds of processor time that `sample` takes on the machine that limits of time in tests are about: 2 processors of 2.5 GHz that nobody
 * else uses.
 */
const usualMillis = 3.5
/** How slow the processor is, is looked at again after so many milliseconds. */
const validMillis = 100

const spentMillis = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1000
}

/** Work like that of the tests: strings, maps, what the collector takes away. */
const sample = (): number => {
  const start = spentMillis()
  const lengths = new Map<string, number>()
  for (let index = 0; index < 12_000; index++) lengths.set(`k${index}`, index)
  let sum = 0
  for (const [key, index] of lengths) sum += key.length * index
  return sum > 0 ? spentMillis() - start : 0
}

/** How many times slower than usual the processor is at this moment, 1 at least: others may share its caches and its clock. */
export const slowness = (): number => {
  const [, median = usualMillis] = [sample(), sample(), sample()].sort((one, other) => one - other)
  return Math.max(1, median / usualMillis)
}

let spent = 0
let last: { readonly at: number; readonly slowness: number } | undefined

/**
 * Milliseconds of processor time of this process as the usual machine would take them, so that limits of time hold whatever else the machine
 * does, and however slow it is meanwhile.
 */
export const cpuMillis = (): number => {
  if (last === undefined) {
    // The engine compiles it.
    for (let index = 0; index < 10; index++) sample()
    last = { at: spentMillis(), slowness: slowness() }
  }
  const since = spentMillis() - last.at
  const now = since > validMillis ? slowness() : last.slowness
  spent += since / ((last.slowness + now) / 2)
  last = { at: spentMillis(), slowness: now }
  return spent
}
