/** Every stream of the rebuild has as many events: one that makes its document, and changes of it. */
export const eventsPerSample = 10

/** The first event of sample `index`. */
export const added = (index: number) => ({
  _tag: "SampleAdded" as const,
  name: `sample ${index}`,
  address: `https://sample-${index}.example.org`,
  enabled: true,
  number: 0
})

/** All events of sample `index`, the same for both runners. */
export const history = (index: number) => [
  added(index),
  ...Array.from({ length: eventsPerSample - 1 }, (_, change) => ({
    _tag: "SampleChanged" as const,
    enabled: change % 2 === 0,
    number: index + change
  }))
]
