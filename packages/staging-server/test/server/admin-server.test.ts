import { expect, it } from "vitest";
import { httpCall } from "../support/http-call.ts";
import { stage } from "../support/stage.ts";
import { testServer } from "../support/test-server.ts";

it("says that it lives, whether it is ready, and what it has done, on a port of its own", async () => {
  const server = await testServer();
  const bundle = await stage(server, { a: 1000 });
  await server.call(`api/v1/bundles/${bundle.bundleId}/files/a`, { headers: bundle.headers });
  await server.call(`api/v1/bundles/${bundle.bundleId}/files/a`);
  const admin = (path: string) => httpCall(`${server.adminUri}${path}`);
  expect((await admin("healthz")).body.toString()).toBe("ok\n");
  expect((await admin("readyz")).json).toEqual({ status: "ready" });
  expect((await admin("other")).status).toBe(404);
  const metrics = (await admin("metrics")).body.toString();
  for (const line of [
    "staging_received_bytes_total 1000",
    "staging_sent_bytes_total 1000",
    'staging_uploads_total{outcome="created"} 1',
    'staging_refusals_total{problem="unauthorized"} 1',
    "staging_bundles 1",
    "staging_in_charge 1",
  ]) {
    expect(metrics.split("\n")).toContain(line);
  }
  expect(metrics).toContain('route="/api/v1/bundles/:id/files/*"');
  // Values without a bound are no labels.
  for (const unbounded of [bundle.bundleId, '"default"', "127.0.0.1"]) expect(metrics).not.toContain(unbounded);
  expect((await server.call("metrics")).status).toBe(404);
});
