import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline, Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { historyRoutes } from "../../src/console/history/history-routes.ts";
import type { VisibleHistory } from "../../src/console/history/visible-history.ts";
import { pageRoutes } from "../../src/console/page/page-routes.ts";
import { anOverview } from "../console/page/sample-overview.ts";

const ADA = { username: "ada@example.org", uid: "", groups: [], extra: {} };

/** The pages of a history that a test has made up, as Ada sees them, beside the page of what runs. */
export async function serveHistory(history: Partial<VisibleHistory>, failures: unknown[] = []): Promise<string> {
  const none = (): Promise<undefined> => Promise.resolve(undefined);
  const routes = historyRoutes({
    history: { list: () => Promise.resolve({ runs: [], namespaces: [], asked: 0 }), run: none, log: none, ...history },
    ...{ hosts: [], queues: () => ["etl", "etl.daily"], onFailure: (error) => void failures.push(error) },
  });
  const frame = { user: ADA.username, hasHistory: true };
  const now = pageRoutes({ overview: () => anOverview(), samples: () => [], hosts: () => [], ...frame });
  const server = createServer((request, response) => {
    void routes(request, ADA).then((answer) => {
      const { status, headers, body } = answer ?? now(request) ?? { status: 404, headers: {}, body: "" };
      response.writeHead(status, headers as Record<string, string>);
      if (body instanceof Readable && request.method === "HEAD") response.end(void body.destroy());
      else if (body instanceof Readable) pipeline(body, response, () => undefined);
      else response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
