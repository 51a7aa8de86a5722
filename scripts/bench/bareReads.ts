import { createServer } from "node:http"
import postgres from "postgres"

const [url = "", reads = "1", connections = "10"] = process.argv.slice(2)
const client = postgres(url, { max: Number(connections), onnotice: () => {} })
await client`create table if not exists bare_reads (id int primary key, body text not null)`
await client`insert into bare_reads select n, repeat('x', 600) from generate_series(1, 100) n on conflict do nothing`

/** What a service costs at least: so many reads by primary key from that of the path on, one after the other, and the last row as JSON. */
const server = createServer(async (request, response) => {
  let row: unknown
  const first = Number(request.url?.slice(1))
  for (let id = first; id < first + Number(reads); id++) [row] = await client`select id, body from bare_reads where id = ${id}`
  const body = JSON.stringify(row)
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body)
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.(typeof address === "object" && address !== null ? address.port : 0)
})
process.on("disconnect", () => process.exit())
