/** The connections of one client, those first that have rested or been busy the longest. */
interface Crowd<Connection> {
  readonly client: string
  readonly idle: Set<Connection>
  readonly busy: Set<Connection>
}

/** Connections by client, so that one of whoever has the most is found at once, however many there are. */
export class Crowds<Connection> {
  readonly #byClient = new Map<string, Crowd<Connection>>()
  /** The crowds of each size. */
  readonly #bySize: Array<Set<Crowd<Connection>>> = []

  /** Counts a connection, or moves it behind the others that are as busy. */
  put(client: string, connection: Connection, isBusy: boolean): void {
    const crowd = this.#byClient.get(client) ?? { client, idle: new Set(), busy: new Set() }
    this.#byClient.set(client, crowd)
    this.#change(crowd, () => {
      crowd.idle.delete(connection)
      crowd.busy.delete(connection)
      crowd[isBusy ? "busy" : "idle"].add(connection)
    })
  }

  /** Forgets a connection, if it is there. */
  remove(client: string, connection: Connection): void {
    const crowd = this.#byClient.get(client)
    if (crowd === undefined) return
    this.#change(crowd, () => {
      crowd.idle.delete(connection)
      crowd.busy.delete(connection)
    })
    if (crowd.idle.size + crowd.busy.size === 0) this.#byClient.delete(client)
  }

  /** The client with the most connections, and the one that it misses least: that has rested, or else been busy, the longest. */
  get largest(): { readonly client: string; readonly size: number; readonly dispensable: Connection } | undefined {
    const [crowd] = this.#bySize.at(-1) ?? []
    if (crowd === undefined) return undefined
    const [dispensable] = crowd.idle.size > 0 ? crowd.idle : crowd.busy
    return dispensable && { client: crowd.client, size: crowd.idle.size + crowd.busy.size, dispensable }
  }

  #change(crowd: Crowd<Connection>, change: () => void): void {
    this.#bySize[crowd.idle.size + crowd.busy.size]?.delete(crowd)
    change()
    const size = crowd.idle.size + crowd.busy.size
    while (this.#bySize.length <= size) this.#bySize.push(new Set())
    if (size > 0) this.#bySize[size]?.add(crowd)
    while (this.#bySize.at(-1)?.size === 0) this.#bySize.pop()
  }
}
