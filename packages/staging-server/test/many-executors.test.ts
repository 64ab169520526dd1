import { expect, it } from "vitest";
import {
  bundleSource,
  connectStaging,
  digester,
  retrying,
  type DownloadPart,
  type DownloadSource,
} from "@kindling/staging-client";
import { sample, stage } from "./support/stage.ts";
import { testServer } from "./support/test-server.ts";

it("serves a thousand executors that come at once, with flat memory", async () => {
  const server = await testServer({ "limits.downloads": 64 });
  const bundle = await stage(server, { hot: 300_000, large: 16 * 1024 * 1024 });
  const file = bundle.files["hot"] ?? sample(0);
  const client = connectStaging({ uri: server.uri, maxConnections: 250 });
  const sourceOf = (name: string): DownloadSource =>
    bundleSource(client.connection, { bundleId: bundle.bundleId, secret: bundle.secret, name });
  const source = sourceOf("hot");
  const holders = await takeAllPlaces(sourceOf("large"));
  const { clock, random } = client.connection;
  // Refused executors retry after the time that the server asks for; here this time is shorter.
  const impatient = {
    ...clock,
    after: (milliseconds: number, callback: () => void) => clock.after(milliseconds / 20, callback),
  };
  let refused = 0;
  const before = process.memoryUsage().rss;
  let peak = 0;

  async function executor(): Promise<void> {
    const policy = { attempts: 50, baseMs: 50, capMs: 2000, overloadedMs: 60_000 };
    const onRetry = (): void => {
      // Later executors get the places.
      if (++refused === 100) for (const { body } of holders) body.destroy();
    };
    await retrying({ clock: impatient, random, policy, onRetry }, async () => {
      const { body } = await source.open(0, undefined, new AbortController().signal);
      const hash = digester();
      for await (const chunk of body) hash.update(chunk as Buffer);
      expect(hash.digest()).toBe(file.digest);
    });
    peak = Math.max(peak, process.memoryUsage().rss);
  }

  await Promise.all(Array.from({ length: 1000 }, executor));
  expect(refused).toBeGreaterThanOrEqual(100);
  // Both ends are in this process: 300 MB went through it.
  expect(peak - before).toBeLessThan(150 * 1024 * 1024);
  client.close();
}, 120_000);

/** Downloads that nobody reads, as many as the server lets one namespace have. */
async function takeAllPlaces(source: DownloadSource): Promise<DownloadPart[]> {
  const taken: DownloadPart[] = [];
  for (;;) {
    const answer = await source.open(0, undefined, new AbortController().signal).catch(() => undefined);
    if (answer === undefined) return taken;
    answer.body.on("error", () => undefined);
    taken.push(answer);
  }
}
