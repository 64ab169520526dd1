import { createEventRecorder, openTerm } from "@kindling/controller";
import { KindlingError } from "@kindling/core-spec";
import type { Renewal, TokenRenewer } from "@kindling/kerberos";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { systemClock, systemRandom } from "@kindling/outside";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { expect, onTestFinished, test } from "vitest";
import { ClusterWatch } from "../../../src/cluster/cluster-watch.ts";
import { TokenRenewal } from "../../../src/controllers/token-renewal/token-renewal.ts";
import { driverWithTokens } from "../../support/driver-with-tokens.ts";
import { FakeDriver } from "../../support/fake-driver.ts";

const LIFE_MS = 60_000;

/** The renewal of all drivers of a cluster. The name node's answers come from `answer`. */
async function started(answer: (file: string, count: number) => Renewal) {
  const cluster = await TestCluster.start();
  const access = await loadClusterAccess({ env: {}, kubeconfigPath: kubeconfigFor(cluster, {}) });
  const client = createKubeClient(access, { userAgent: "test" });
  const outside = { clock: systemClock, random: systemRandom() };
  const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const watch = new ClusterWatch({ client, namespaces: [], ...outside, onFault: () => {} });
  const term = openTerm({ client, ...outside, log: quiet });
  /** What the name node was asked about. */
  const asked: string[] = [];
  const renewer: TokenRenewer = {
    async tokensIn(bytes) {
      const file = bytes.toString();
      const maxDate = Date.now() + LIFE_MS;
      const renew = async (): Promise<Renewal> => {
        asked.push(file);
        return answer(file, asked.filter((each) => each === file).length);
      };
      return file === "others" ? [] : [{ fileSystem: "hdfs://nn", maxDate, renew }];
    },
  };
  const outcomes: string[] = [];
  const events = createEventRecorder({ client, ...outside, log: quiet, component: "test" });
  const onOutcome = (outcome: string): void => void outcomes.push(outcome);
  term.run(new TokenRenewal(term, { ...outside, cluster: watch, events, log: quiet, renewer, onOutcome }).controller);
  onTestFinished(async () => {
    await term.end();
    await watch.stop();
    client.close();
  });
  return { cluster, asked, outcomes };
}

async function warnings(cluster: TestCluster): Promise<string[]> {
  const { items } = (await cluster.send("GET", "/api/v1/events")) as {
    items: { type: string; reason: string; message: string; involvedObject: { name: string } }[];
  };
  return items
    .filter(({ type }) => type === "Warning")
    .map((one) => `${one.involvedObject.name} ${one.reason}: ${one.message}`);
}

test("tokens are renewed before they end, again and again, until their driver has ended", async () => {
  const { cluster, asked, outcomes } = await started(() => ({ until: Date.now() + 400 }));
  const driver = await driverWithTokens(cluster, "app", Buffer.from("ours"));
  await driverWithTokens(cluster, "stranger", Buffer.from("others"));
  await FakeDriver.run(cluster, "plain");
  await eventually(() => expect(asked.length).toBeGreaterThan(4));
  expect(new Set(asked)).toEqual(new Set(["ours"]));
  expect(new Set(outcomes)).toEqual(new Set(["renewed"]));
  expect(await warnings(cluster)).toEqual([]);
  await cluster.send("DELETE", `${driver.path("pods", "app")}?gracePeriodSeconds=0`);
  await eventually(async () => {
    const before = asked.length;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(asked).toHaveLength(before);
  });
});

test("a renewal that fails is tried again, and an event says so", async () => {
  const { cluster, outcomes } = await started((_, count) => {
    if (count <= 2) throw new KindlingError("KDC_UNREACHABLE", "no KDC answers");
    return { until: Date.now() + 30_000 };
  });
  await driverWithTokens(cluster, "app", Buffer.from("ours"));
  await eventually(() => expect(outcomes).toEqual(["failed", "failed", "renewed"]));
  expect(await warnings(cluster)).toEqual([
    "app TokenNotRenewed: the delegation token for hdfs://nn was not renewed: no KDC answers",
  ]);
});

test("a token is left alone if it cannot be renewed any more, and an event says when access ends", async () => {
  const end = Date.now() + 2 * LIFE_MS;
  const { cluster, asked } = await started((file) =>
    file === "cancelled" ? { refused: "token can't be found in cache" } : { until: end },
  );
  await driverWithTokens(cluster, "old", Buffer.from("ours"));
  await driverWithTokens(cluster, "lost", Buffer.from("cancelled"));
  await eventually(async () =>
    expect((await warnings(cluster)).sort()).toEqual([
      "lost TokenNotRenewed: the delegation token for hdfs://nn cannot be renewed: token can't be found in cache",
      `old TokenEnds: the delegation token for hdfs://nn ends at ${new Date(end).toISOString()} and cannot be renewed again: the application then loses its access, unless it is started anew`,
    ]),
  );
  expect(asked.sort()).toEqual(["cancelled", "ours"]);
});
