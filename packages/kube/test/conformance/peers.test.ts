import { KubeConfig, makeInformer, CoreV1Api, Watch, type V1Pod } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import { eventually } from "../../src/conformance/eventually.ts";
import { clientCases, startFaultServer, type PodFollower } from "../../src/conformance/index.ts";
import { resources } from "../../src/index.ts";
import { testClient } from "../fixtures/test-client.ts";

function peerConfig(server: string): KubeConfig {
  const config = new KubeConfig();
  // It refuses to speak without TLS otherwise.
  config.loadFromClusterAndUser({ name: "c", server, skipTLSVerify: true }, { name: "u" });
  return config;
}

/** client-node's informer, the usual alternative. */
async function followWithInformer(server: string): Promise<PodFollower> {
  const config = peerConfig(server);
  const api = config.makeApiClient(CoreV1Api);
  const path = "/api/v1/namespaces/default/pods";
  const informer = makeInformer(config, path, () => api.listNamespacedPod({ namespace: "default" }));
  await informer.start();
  return {
    view: () =>
      new Map(informer.list().map(({ metadata }) => [metadata?.name ?? "", metadata?.annotations?.["value"] ?? ""])),
    stop: () => informer.stop(),
  };
}

describe("client-node, as a peer", () => {
  test("passes the plain case of the suite: the suite asks for nothing peculiar to this package", async () => {
    const plain = clientCases.find((one) => one.name === "follows what is created, changed and deleted");
    await expect(plain?.run(followWithInformer)).resolves.toBeUndefined();
  });

  test("sees the same list and the same events", async () => {
    const server = await startFaultServer();
    for (const name of ["a", "b", "c"]) server.put(name, "größe");
    const client = testClient(server.url);
    const config = peerConfig(server.url);
    const theirs = await config.makeApiClient(CoreV1Api).listNamespacedPod({ namespace: "default" });
    const ours = await client.listAll(resources.pods);
    const brief = (pods: readonly { metadata?: V1Pod["metadata"] | object }[]): unknown[] =>
      pods.map((pod) => JSON.parse(JSON.stringify(pod.metadata)));
    expect(brief(ours.items)).toEqual(brief(theirs.items));
    expect(ours.resourceVersion).toBe(theirs.metadata?.resourceVersion);

    const { resourceVersion } = ours;
    server.put("a", "2");
    server.remove("b");
    const theirEvents: unknown[] = [];
    const watching = new Promise<void>((resolve, reject) => {
      new Watch(config)
        .watch(
          "/api/v1/namespaces/default/pods",
          { resourceVersion },
          (type: string, object: V1Pod) =>
            theirEvents.push([type, object.metadata?.name, object.metadata?.resourceVersion]),
          () => resolve(),
        )
        .catch(reject);
    });
    const ourEvents: unknown[] = [];
    for await (const event of client.watch(resources.pods, { resourceVersion })) {
      ourEvents.push([event.type, event.type === "BOOKMARK" ? "" : event.object.metadata?.name, event.resourceVersion]);
      if (ourEvents.length === 2) break;
    }
    await eventually("they have seen as much", () => theirEvents.length === ourEvents.length);
    server.endWatches();
    await watching;
    expect(ourEvents).toEqual(theirEvents);
    await server.stop();
  });
});
