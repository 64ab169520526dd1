import { expect, test } from "vitest";
import { metricsOf, series } from "./scrape.ts";

test("requests count by their answers", async () => {
  const metrics = metricsOf();
  const host = "10.0.0.1:6443";
  metrics.requestSent({ method: "GET", host, status: 200 });
  metrics.requestSent({ method: "GET", host, status: 200 });
  metrics.requestSent({ method: "POST", host, status: 429 });
  metrics.requestSent({ method: "POST", host, status: undefined });
  expect(await series(metrics, "rest_client_")).toEqual({
    [`rest_client_requests_total{code="200",method="GET",host="${host}"}`]: 2,
    [`rest_client_requests_total{code="429",method="POST",host="${host}"}`]: 1,
    [`rest_client_requests_total{code="<error>",method="POST",host="${host}"}`]: 1,
  });
});
