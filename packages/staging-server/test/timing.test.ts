import { expect, it } from "vitest";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { openBundle } from "../src/bundles/bundle-access.ts";
import { bundleIndex } from "../src/bundles/bundle-index.ts";
import type { BundleRecord } from "../src/metadata/bundle-record.ts";
import { bundleStore } from "../src/metadata/bundles.ts";
import { localDocuments } from "../src/stores/local-disk/local-documents.ts";
import { TEST_OWNER } from "./support/test-server.ts";

const REQUESTS = 10_000;

/** How likely a difference this large is by chance alone, in standard deviations (Mann and Whitney's test). */
function distinguishability(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((time) => ({ time, first: true })), ...b.map((time) => ({ time, first: false }))];
  all.sort((x, y) => x.time - y.time);
  const rankSum = all.reduce((sum, { first }, index) => (first ? sum + index + 1 : sum), 0);
  const [n, m] = [a.length, b.length];
  const u = rankSum - (n * (n + 1)) / 2;
  return u / (n * m);
}

it("takes no longer for a wrong secret than for a bundle that does not exist", async () => {
  const documents = await localDocuments(scratchFolder().path);
  const bundles = bundleStore(documents);
  const index = bundleIndex(bundles);
  const id = "11111111-1111-4111-8111-111111111111";
  const record: BundleRecord = {
    id,
    wire: "v1",
    owner: TEST_OWNER,
    createdBy: "me",
    secretHash: "ab".repeat(32),
    manifestDigest: `sha256:${"0".repeat(64)}` as never,
    files: 0,
    bytes: 0,
    state: "used",
    since: 0,
    createdAt: 0,
    createdTime: "",
    unusedSeconds: 0,
  };
  await bundles.create(record, { files: [] });
  await index.refresh();
  const context = { bundles, index };
  const measure = async (tried: string): Promise<number> => {
    const begin = performance.now();
    await openBundle(context, tried, "a-secret-that-is-wrong");
    return performance.now() - begin;
  };
  const unknown = "22222222-2222-4222-8222-222222222222";
  for (let warm = 0; warm < 2000; warm++) await measure(warm % 2 === 0 ? id : unknown);
  const [wrong, absent]: [number[], number[]] = [[], []];
  for (let request = 0; request < REQUESTS; request++) {
    wrong.push(await measure(id));
    absent.push(await measure(unknown));
  }
  // 0.5: no difference at all; 1 or 0: a single request shows the difference. Over a network, requests vary by a thousand
  // times these microseconds, so an attacker learns nothing long before these limits.
  const chance = distinguishability(wrong, absent);
  expect(Math.abs(chance - 0.5)).toBeLessThan(0.25);
  const median = (times: number[]): number => times.toSorted((a, b) => a - b)[REQUESTS / 2] ?? 0;
  expect(Math.abs(median(wrong) - median(absent))).toBeLessThan(0.005);
});
