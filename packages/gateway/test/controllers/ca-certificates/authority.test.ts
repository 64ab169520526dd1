import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { testAuthority } from "@kindling/test-kit/certificates";
import { eventually } from "@kindling/test-kit/eventually";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import type { ConfigMap, Volume } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeApplication } from "../../support/fake-application.ts";
import { startTestGateway, testConfig } from "../../support/test-gateway.ts";

const PATH = "/api/v1/namespaces/spark-jobs/configmaps/kindling-gateway-ca";
const ACCESS: Volume = {
  name: "access",
  projected: { sources: [{ configMap: { name: "kindling-gateway-ca", items: [{ key: "ca.crt", path: "ca.crt" }] } }] },
};

async function published(cluster: TestCluster): Promise<string | undefined> {
  return ((await cluster.send("GET", PATH)) as ConfigMap).data?.["ca.crt"];
}

test("drivers find the gateway's authority in their namespace, also when it changes or somebody takes it away", async () => {
  const folder = scratchFolder();
  const first = testAuthority("first").cert;
  const file = folder.write("ca.crt", first);
  const cluster = await TestCluster.start();
  const settings = ["--tls-ca-file", file, "--tls-reload-interval", "1s"];
  const gateway = await startTestGateway(cluster, { settings });
  const plain = await FakeApplication.submit(cluster, gateway, "plain");
  await plain.started();
  await expect(published(cluster)).rejects.toThrow("404");

  const one = await FakeApplication.submit(cluster, gateway, "one", { volumes: [ACCESS] });
  await one.started();
  expect(await published(cluster)).toBe(first);

  const second = testAuthority("second").cert;
  folder.write("ca.crt", second);
  await eventually(async () => expect(await published(cluster)).toBe(second));
  folder.write("ca.crt", "nonsense");
  await eventually(() => {
    expect(gateway.lines.join("")).toContain("holds no certificate in PEM");
  });
  expect(await published(cluster)).toBe(second);

  await cluster.send("DELETE", PATH);
  const two = await FakeApplication.submit(cluster, gateway, "two", { volumes: [ACCESS] });
  await two.started();
  const three = await FakeApplication.submit(cluster, gateway, "three", { volumes: [ACCESS] });
  await three.started();
  expect(await published(cluster)).toBe(second);
  // Created, changed, and created again: nothing was written that was already there.
  const writes = cluster.api.writes.filter(({ path }) => path.includes("/configmaps"));
  expect(writes.map(({ method }) => method)).toEqual(["POST", "PATCH", "POST"]);
});

test("a private key is never published", async () => {
  const folder = scratchFolder();
  const { cert, key } = testAuthority("authority").issue("gateway", { names: ["127.0.0.1"] });
  const cluster = await TestCluster.start();
  const file = folder.write("both.pem", `${cert}${key}`);
  await expect(startTestGateway(cluster, { settings: ["--tls-ca-file", file] })).rejects.toThrow(/holds a private key/);
  expect(testConfig()["tls.caFile"]).toBeUndefined();
});
