import { eventually } from "@kindling/test-kit/eventually";
import { describe, expect, test } from "vitest";
import type { ServerActivity } from "../src/connect-states/server-activity.ts";
import { CONNECTS, ConnectCluster, CORE, SLOW } from "./support/connect-cluster.ts";
import { OperatedCluster } from "./support/operated-cluster.ts";

describe("a Connect server", () => {
  test("gets its pod, its service and its ConfigMap, and goes with its object", async () => {
    const connects = await ConnectCluster.start();
    connects.operated.cluster.hold();
    await connects.operated.operate();
    await connects.create();
    await connects.inState("Provisioning");
    connects.operated.cluster.release();
    const status = await connects.inState("Ready");
    const { metadata, status: pod } = await connects.pod();
    expect(status).toMatchObject({
      server: { podName: "notebook-server", podIp: pod?.podIP, serviceName: "notebook-server" },
      conditions: [
        { type: "ServerPodReady", status: "True", reason: "ServerPodReady", message: "Server pod is ready" },
      ],
      startTime: expect.any(String),
      lastUpdateTime: expect.any(String),
    });
    const { uid } = (await connects.stored()).metadata;
    const owners = [{ kind: "SparkConnect", name: "notebook", uid, controller: true }];
    expect(metadata).toMatchObject({ ownerReferences: owners, labels: { "spark-role": "connect-server" } });
    expect((await connects.service()).metadata).toMatchObject({ ownerReferences: owners });
    expect(await connects.operated.cluster.contents()).toEqual([
      "ConfigMap/notebook-conf",
      "Pod/notebook-server",
      "Service/notebook-server",
    ]);
    await eventually(async () =>
      expect(await connects.operated.reasons("notebook")).toEqual(["SparkConnectProvisioning", "SparkConnectReady"]),
    );
    await connects.operated.cluster.send("DELETE", `${CONNECTS}/notebook`);
    await eventually(async () => expect(await connects.operated.cluster.contents()).toEqual([]), SLOW);
  });

  test("counts its executors by the phases of their pods", async () => {
    const connects = await ConnectCluster.start();
    await connects.operated.operate();
    await connects.create();
    await connects.inState("Ready");
    const labels = {
      "sparkoperator.k8s.io/launched-by-spark-operator": "true",
      "sparkoperator.k8s.io/connect-name": "notebook",
      "spark-role": "executor",
    };
    const spec = {
      containers: [{ name: "spark-kubernetes-executor", image: "spark" }],
      restartPolicy: "Never" as const,
    };
    const one = await connects.operated.cluster.createPod({
      metadata: { name: "notebook-exec-1", namespace: "spark-jobs", labels },
      spec,
    });
    await eventually(async () => expect((await connects.stored()).status?.executors).toEqual({ running: 1 }));
    connects.operated.cluster.end(one, 1);
    await eventually(async () => expect((await connects.stored()).status?.executors).toEqual({ failed: 1 }));
    await connects.operated.cluster.delete(one);
    await eventually(async () => expect((await connects.stored()).status?.executors).toBeUndefined());
  });

  test("is made again when its pod or its service is deleted", async () => {
    const connects = await ConnectCluster.start();
    await connects.operated.operate();
    await connects.create();
    await connects.inState("Ready");
    const pod = await connects.pod();
    await connects.operated.cluster.send("DELETE", `${CORE}/pods/notebook-server`);
    await connects.podAfter(pod);
    await connects.inState("Ready");
    const { metadata } = await connects.service();
    await connects.operated.cluster.send("DELETE", `${CORE}/services/notebook-server`);
    await eventually(async () => expect((await connects.service()).metadata?.uid).not.toBe(metadata?.uid));
  });

  test("has another pod after a change of the spec, and the service follows", async () => {
    const connects = await ConnectCluster.start();
    const first = await connects.operated.operate();
    await connects.create();
    await connects.inState("Ready");
    const pod = await connects.pod();
    await connects.change({ spec: { sparkVersion: "4.3.1", image: "apache/spark:4.3.1" } });
    const second = await connects.podAfter(pod);
    expect(second.spec?.containers[0]?.image).toBe("apache/spark:4.3.1");
    await eventually(async () =>
      expect((await connects.service()).spec?.selector).toMatchObject({ "spark-version": "4.3.1" }),
    );
    await connects.inState("Ready");
    // Neither another operator nor a change of the service makes another pod.
    await first.stop();
    await connects.change({ spec: { server: { service: { metadata: { annotations: { a: "b" } } } } } });
    await connects.operated.operate();
    await eventually(async () => expect((await connects.service()).metadata?.annotations).toMatchObject({ a: "b" }));
    expect((await connects.pod()).metadata?.uid).toBe(second.metadata?.uid);
  });
});

describe("what is refused", () => {
  test("is told, and a corrected object runs", async () => {
    const connects = await ConnectCluster.start();
    await connects.operated.operate();
    await connects.create({ image: "" });
    const status = await connects.inState("Failed");
    expect(status.conditions?.[0]?.message).toContain("image must be specified");
    expect(await connects.operated.pods()).toEqual([]);
    await connects.change({ spec: { image: "apache/spark:4.3.0" } });
    await connects.inState("Ready");
    const pod = await connects.pod();
    await connects.change({ spec: { server: { memory: "much" } } });
    await eventually(async () =>
      expect((await connects.operated.events("notebook")).map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/^the change of the spec is refused.*invalid server\.memory/),
      ),
    );
    expect((await connects.pod()).metadata?.uid).toBe(pod.metadata?.uid);
  });

  test("by a quota is in the status, until there is room", async () => {
    const connects = await ConnectCluster.start();
    const quota = { metadata: { name: "none" }, spec: { hard: { pods: "0" } } };
    await connects.operated.cluster.send("POST", `${CORE}/resourcequotas`, quota);
    await connects.operated.operate();
    await connects.create();
    const status = await connects.inState("Failed");
    expect(status.conditions?.[0]?.message).toContain("exceeded quota");
    await connects.operated.cluster.send("DELETE", `${CORE}/resourcequotas/none`);
    await connects.inState("Ready");
  });

  test("a pod of somebody else stays", async () => {
    const connects = await ConnectCluster.start();
    const spec = { containers: [{ name: "other", image: "busybox" }] };
    const other = await connects.operated.cluster.createPod({
      metadata: { name: "notebook-server", namespace: "spark-jobs" },
      spec,
    });
    await connects.operated.operate();
    await connects.create();
    const status = await connects.inState("Failed");
    expect(status.conditions?.[0]?.message).toContain("belongs to something else");
    await connects.operated.cluster.delete(other);
    await connects.inState("Ready");
  });
});

describe("the annotations", () => {
  test("an idle server is stopped, and starts again when the annotation is removed", async () => {
    const connects = await ConnectCluster.start();
    let activity: ServerActivity = { kind: "busy" };
    await connects.operated.operate({}, undefined, { ask: () => Promise.resolve(activity), close: () => undefined });
    await connects.create({}, { "operator.kindling/idle-timeout": "1s" });
    await connects.inState("Ready");
    activity = { kind: "quiet", sinceMs: undefined };
    // A server that works is asked again after a while; a change makes that at once.
    await connects.change({ metadata: { labels: { asked: "again" } } });
    const stopped = await connects.inState("NotReady");
    expect(stopped.conditions).toContainEqual(
      expect.objectContaining({ type: "ServerStopped", status: "True", reason: "IdleTimeout" }),
    );
    await connects.noPod();
    await connects.change({ metadata: { annotations: { "operator.kindling/idle-timeout": null } } });
    const started = await connects.inState("Ready");
    expect(started.conditions).toContainEqual(expect.objectContaining({ type: "ServerStopped", status: "False" }));
  });

  test("a server that cannot be asked goes on, and that is told", async () => {
    const connects = await ConnectCluster.start();
    const ask = () => Promise.resolve<ServerActivity>({ kind: "unknown", why: "it is mute" });
    await connects.operated.operate({}, undefined, { ask, close: () => undefined });
    await connects.create({}, { "operator.kindling/idle-timeout": "1s", "operator.kindling/ttl": "for ever" });
    await eventually(async () => {
      const told = (await connects.operated.events("notebook")).map(({ message }) => message);
      expect(told).toContainEqual(expect.stringContaining("it is mute"));
      expect(told).toContainEqual(expect.stringContaining('"for ever" has no effect'));
    }, SLOW);
    expect((await connects.stored()).status?.state).toBe("Ready");
  });

  test("an object is deleted with all that it has when its time is over", async () => {
    const connects = await ConnectCluster.start();
    await connects.operated.operate();
    await connects.create({}, { "operator.kindling/ttl": "3s" });
    await connects.inState("Ready");
    await eventually(async () => expect(await connects.operated.cluster.contents()).toEqual([]), SLOW);
    await eventually(async () => await expect(connects.stored()).rejects.toThrow("404"));
    // The event is written beside the deletion, and may come after it.
    await eventually(async () => expect(await connects.operated.reasons("notebook")).toContain("SparkConnectExpired"));
  });
});

test("without the definition, the operator runs applications all the same", async () => {
  const operated = await OperatedCluster.start();
  await operated.cluster.send(
    "DELETE",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/sparkconnects.sparkoperator.k8s.io",
  );
  await eventually(async () => await expect(operated.cluster.send("GET", CONNECTS)).rejects.toThrow("404"));
  await operated.operate();
  await operated.create("pi");
  await operated.inState("pi", "RUNNING");
});
