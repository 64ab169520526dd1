import { systemClock } from "@kindling/outside";
import { expect, onTestFinished, test } from "vitest";
import type { PlainRoutes } from "@kindling/service";
import { startPlainServer } from "../../src/health/plain-server.ts";
import { metricsOf } from "./scrape.ts";

async function serve(routes: PlainRoutes, address = "127.0.0.1:0"): Promise<(path: string) => Promise<Response>> {
  const server = await startPlainServer(address, "metrics-bind-address", routes, systemClock);
  onTestFinished(() => server.stop());
  return (path) => fetch(`http://127.0.0.1:${server.port}${path}`);
}

test("metrics are served as Prometheus reads them", async () => {
  const { registry } = metricsOf();
  const get = await serve({
    "/own/metrics": async () => ({ status: 200, contentType: registry.contentType, body: await registry.metrics() }),
  });
  const response = await get("/own/metrics");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4");
  expect(await response.text()).toContain("# TYPE spark_application_count counter");
  expect((await get("/healthz")).status).toBe(404);
});

test("a page that cannot be made is told as an error, and the next one is served", async () => {
  let isBroken = true;
  const get = await serve({
    async "/page"() {
      if (isBroken) throw new Error("no page today");
      return { status: 503, contentType: "text/plain", body: "not yet\n" };
    },
  });
  const broken = await get("/page");
  expect([broken.status, await broken.text()]).toEqual([500, "no page today\n"]);
  isBroken = false;
  const answer = await get("/page?verbose");
  expect([answer.status, await answer.text()]).toEqual([503, "not yet\n"]);
  for (const path of ["/", "/page/", "/constructor", "/__proto__"]) expect((await get(path)).status).toBe(404);
});

test.each([":0", "0.0.0.0:0", "localhost:0"])("%s is an address", async (address) => {
  const get = await serve({ "/": () => ({ status: 200, contentType: "text/plain", body: "" }) }, address);
  expect((await get("/")).status).toBe(200);
});

test.each(["8080", ":", ":65536", "a:b:1", "::1:80", ":-1", "http://localhost:80"])("%j is none", async (address) => {
  await expect(startPlainServer(address, "metrics-bind-address", {}, systemClock)).rejects.toMatchObject({
    code: "ARGUMENT_INVALID",
    message: `--metrics-bind-address has to be an address such as :8081 or 127.0.0.1:8081, or 0 for none, and is "${address}"`,
  });
});

test("an address that is taken is told with its flag", async () => {
  const first = await startPlainServer("127.0.0.1:0", "metrics-bind-address", {}, systemClock);
  onTestFinished(() => first.stop());
  await expect(
    startPlainServer(`127.0.0.1:${first.port}`, "health-probe-bind-address", {}, systemClock),
  ).rejects.toMatchObject({
    code: "ARGUMENT_INVALID",
    message: expect.stringContaining(`--health-probe-bind-address: cannot listen on "127.0.0.1:${first.port}": `),
  });
});
