import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { helm } from "./helm.ts";
import { STACK } from "./stack.ts";

/** A chart repository like that of a project on the web. */
export interface ChartRepository {
  readonly url: string;
  stop(): Promise<void>;
}

/** Packs the stack's chart and serves it. @param appVersion the tag of the images, as in a release */
export async function serveChart(appVersion: string): Promise<ChartRepository> {
  const folder = mkdtempSync(join(tmpdir(), "kindling-e2e-charts-"));
  const files = new Map<string, Buffer>();
  const server = createServer(({ url = "" }, response) => {
    const file = files.get(url.slice(1));
    response.writeHead(file === undefined ? 404 : 200).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  await helm(["package", STACK.chart, "--app-version", appVersion, "--destination", folder]);
  await helm(["repo", "index", folder, "--url", url]);
  for (const name of readdirSync(folder)) files.set(name, readFileSync(join(folder, name)));
  return {
    url,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
