import { readFileSync } from "node:fs";
import { parseProperties } from "@kindling/core-spec";
import type { ConfigMap, Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemOutside } from "@kindling/outside";
import { submit, type SubmissionEvent } from "../src/index.ts";
import { caught } from "@kindling/test-kit/caught";
import { bareEnv, start } from "@kindling/test-kit/bare-process";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { APP, impatientClient, requestFor, submitTo } from "./fixtures/submission.ts";

/** Everything that listens to the process, by event. */
function listeners(): Record<string, number> {
  return Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)]));
}

function warnings(): string[] {
  const seen: string[] = [];
  const onWarning = (warning: Error): void => void seen.push(`${warning.name}: ${warning.message}`);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));
  return seen;
}

describe("many calls at a time", () => {
  test("over one connection do not mix, and leave it open", async () => {
    const cluster = await TestCluster.start();
    // Some calls follow, or are at their end, while others still submit.
    cluster.script = ({ metadata }) => ({ runMilliseconds: 0, exitCode: Number(metadata?.labels?.["number"]) });
    const client = await impatientClient(cluster);
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const results = await Promise.all(
      numbers.map((number) => {
        const events: SubmissionEvent[] = [];
        return submitTo(cluster, {
          client,
          wait: true,
          name: `app-${number}`,
          conf: { "spark.kubernetes.driver.label.number": String(number) },
          application: { ...APP, arguments: [`argument ${number}`] },
          onEvent: (event) => void events.push(event),
        }).then((result) => ({ result, events }));
      }),
    );

    for (const number of numbers) {
      const { result, events } = results[number] ?? { result: undefined, events: [] };
      expect(result?.application.name).toBe(`app-${number}`);
      expect(result?.outcome).toMatchObject({ exitCode: number });
      const named = events.flatMap((event) => ("application" in event ? [event.application.name] : []));
      expect(new Set(named)).toEqual(new Set([`app-${number}`]));
    }
    const configMaps = await cluster.objects<ConfigMap>("ConfigMap");
    const pods = await cluster.objects<Pod>("Pod");
    expect([configMaps.length, pods.length]).toEqual([50, 50]);
    for (const pod of pods) {
      const volume = pod.spec?.volumes?.find(({ configMap }) => configMap !== undefined);
      const own = configMaps.find(({ metadata }) => metadata?.name === volume?.configMap?.name);
      const properties = parseProperties(own?.data?.["spark.properties"] ?? "");
      const number = pod.metadata?.labels?.["number"];
      expect(properties["spark.app.name"]).toBe(`app-${number}`);
      expect(properties["spark.app.id"]).toBe(pod.metadata?.labels?.["spark-app-selector"]);
      expect(own?.metadata?.ownerReferences).toMatchObject([{ uid: pod.metadata?.uid }]);
      expect(pod.spec?.containers?.[0]?.args?.at(-1)).toBe(`argument ${number}`);
    }
    await submitTo(cluster, { client });
  });

  test("with one signal all stop by it, and none leaves a listener or a warning", async () => {
    const seen = warnings();
    const before = listeners();
    const cluster = await TestCluster.start();
    const abort = new AbortController();
    const calls = Array.from({ length: 30 }, () => submitTo(cluster, { wait: true, logs: true, signal: abort.signal }));
    const failures = Promise.all(calls.map(caught));
    await expect.poll(() => cluster.api.openLogs).toBe(30);
    abort.abort();
    expect(new Set((await failures).map(({ code }) => code))).toEqual(new Set(["INTERRUPTED"]));
    expect(await cluster.objects("Pod")).toHaveLength(30);
    expect(listeners()).toEqual(before);
    expect(seen).toEqual([]);
  });
});

describe("a call", () => {
  test("closes the connection that it opened itself, also where it fails", async () => {
    const cluster = await TestCluster.start();
    await submitTo(cluster);
    cluster.api.fault = () => ({ kind: "status", status: 403, message: "no" });
    await caught(submitTo(cluster));
    await expect.poll(() => cluster.api.connections()).toBe(0);
  });

  test("takes environment and folder from its options, not from the process", async () => {
    const cluster = await TestCluster.start();
    const folder = scratchFolder({ "conf/log4j2.properties": "a=b\n", "a.txt": "text" });
    const defaults = `spark.from.defaults yes\nspark.kubernetes.file.upload.path file:${folder.path}/uploads\n`;
    folder.write("conf/spark-defaults.conf", defaults);
    const env = { SPARK_HOME: folder.path, HADOOP_USER_NAME: "jane" };
    await submitTo(cluster, { env, files: ["a.txt"], cwd: folder.path });
    const [configMap] = await cluster.objects<ConfigMap>("ConfigMap");
    const properties = parseProperties(configMap?.data?.["spark.properties"] ?? "");
    expect(properties["spark.from.defaults"]).toBe("yes");
    expect(readFileSync((properties["spark.files"] ?? "").replace(/^file:/, ""), "utf8")).toBe("text");
    expect(configMap?.data?.["log4j2.properties"]).toBe("a=b\n");
    const [pod] = await cluster.objects<Pod>("Pod");
    expect(pod?.spec?.containers?.[0]?.env).toContainEqual({ name: "SPARK_USER", value: "jane" });
  });

  test("does not change its options, which may be frozen", async () => {
    const cluster = await TestCluster.start();
    const request = {
      application: Object.freeze({ resource: "local:///opt/app.py" }),
      master: `k8s://${cluster.url}`,
      conf: Object.freeze({ "spark.kubernetes.container.image": "spark:4.3.0" }),
    };
    const outside = Object.freeze({ ...systemOutside(), env: Object.freeze(bareEnv()), cwd: "/" });
    const options = { access: "this-machine", outside, wait: false } as const;
    await expect(submit(Object.freeze(request), Object.freeze(options))).resolves.toMatchObject({ existed: false });
  });

  test("for client mode is refused, since only the command can hand over", async () => {
    const error = await caught(
      submitTo({ url: "http://127.0.0.1:1" }, { conf: { "spark.submit.deployMode": "client" } }),
    );
    expect(error).toMatchObject({ code: "UNSUPPORTED", message: expect.stringContaining("in client mode") });
  });

  test("tells notices as events", async () => {
    const cluster = await TestCluster.start();
    const events: SubmissionEvent[] = [];
    await submitTo(cluster, { conf: { typo: "1" }, onEvent: (event) => void events.push(event) });
    expect(events.map(({ type }) => type)).toEqual(["notice", "submitted"]);
  });
});

test("a program that submits goes on behind it, and ends by itself", async () => {
  const cluster = await TestCluster.start();
  cluster.script = () => ({ runMilliseconds: 0, exitCode: 3 });
  const program = scratchFolder().write(
    "program.mjs",
    `import { submit } from ${JSON.stringify(import.meta.resolve("@kindling/submit"))};
     const request = ${JSON.stringify(requestFor(cluster))};
     const { outcome } = await submit(request, { access: "this-machine" });
     console.log("it ended with", outcome.exitCode);
     const refused = { application: { resource: "local:///app.jar" }, conf: { "spark.driver.memory": "0" } };
     await submit(refused, { access: "this-machine" }).catch((error) => console.log(error.code));`,
  );
  const { code, stdout, stderr } = await start(process.execPath, [program], {}).ended;
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "it ended with 3\nCONF_INVALID\n", stderr: "" });
});
