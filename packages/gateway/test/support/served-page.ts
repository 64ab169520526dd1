import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Overview } from "@kindling/gateway-client";
import type { Sample } from "../../src/console/page/history.ts";
import { pageRoutes } from "../../src/console/page/page-routes.ts";

/** A page with data from a test, which the test may change later. */
export interface ServedPage {
  readonly uri: string;
  overview: Overview;
  samples: readonly Sample[];
}

export async function servePage(overview: Overview, samples: readonly Sample[] = []): Promise<ServedPage> {
  const routes = pageRoutes({ overview: () => page.overview, samples: () => page.samples, hosts: () => [] });
  const server = createServer((request, response) => {
    const { status, headers, body } = routes(request) ?? { status: 404, headers: {}, body: "" };
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const page = { uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, overview, samples };
  return page;
}
