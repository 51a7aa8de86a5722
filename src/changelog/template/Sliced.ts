/** Work that yields where it may pause, so that whoever runs it can let other things go on in between. */
export type Sliced<A> = Generator<void, A, void>
