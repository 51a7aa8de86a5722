import { createServer } from "node:http"
import { Effect, Exit, Scope } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { freshDatabase } from "#test/support/database.ts"
import { listening } from "#test/support/processes/listening.ts"
import { serveProcess } from "#test/support/processes/serveProcess.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"

describe("a write of a service with a collector of traces", () => {
  const scope = Scope.makeUnsafe()
  const bodies: Array<string> = []
  const collector = createServer(async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString())
    response.end("{}")
  })
  afterAll(async () => {
    collector.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("is one trace from the caller over request and append to the projection, without its secrets", async () => {
    const port = await listening(collector)
    const service = await serveProcess({
      DATABASE_URL: await Effect.runPromise(Scope.provide(freshDatabase(), scope)),
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`
    })
    const { status } = await service.request("POST", "/admin/clusters/add", {
      query: { private_token: "glpat-root-token-of-tests" },
      form: {
        name: "traced",
        "platform_kubernetes_attributes[api_url]": "https://k8s.example.com",
        "platform_kubernetes_attributes[token]": "very-secret"
      },
      headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
    })
    expect(status).toBe(201)
    // The last spans are sent when the service stops.
    expect(await service.end("SIGTERM")).toBe(0)
    const spans = bodies.flatMap((body) =>
      JSON.parse(body).resourceSpans.flatMap(
        (resource: { scopeSpans: Array<{ spans: Array<{ traceId: string; name: string }> }> }) =>
          resource.scopeSpans.flatMap((each) => each.spans)
      )
    )
    const names = new Set(spans.filter((span) => span.traceId === traceId).map((span) => span.name))
    expect([...names]).toEqual(expect.arrayContaining(["POST clusters.add", "Commands.handle", "EventStore.append", "project"]))
    expect(bodies.join().match(/very-secret|glpat-/g)).toBeNull()
  })
})
