import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { applicationWithSecrets, type ApplicationWithSecrets } from "@kindling/test-kit/application-with-secrets";
import type { Pod } from "kubernetes-types/core/v1.js";
import { beforeEach, expect, test } from "vitest";
import { driverPod, executorPod, NAMESPACE } from "../support/recording.ts";
import { type TestRecorder, testRecorder } from "../support/recorder-server.ts";

const ALL_FILES = { recursive: true, withFileTypes: true } as const;
const NAME = "daily";

let recorder: TestRecorder;
let app: ApplicationWithSecrets;

/** The pod of a driver or an executor, with the application's secrets in it. */
function withSecrets({ metadata, spec, ...pod }: Pod): Pod {
  const [container, ...others] = spec?.containers ?? [];
  const { env, args, labels, annotations } = app;
  const volumes = [{ name: "spark-conf-volume-driver", configMap: { name: "daily-conf" } }];
  return {
    ...pod,
    metadata: { ...metadata, annotations, labels: { ...metadata?.labels, ...labels } },
    spec: {
      ...spec,
      volumes: metadata?.labels?.["spark-role"] === "driver" ? volumes : [],
      containers: [{ name: "", ...container, env: [...env], args: [...args] }, ...others],
    },
  };
}

/** Runs the application to its end, until it is kept. */
async function ran(): Promise<string> {
  const { cluster } = recorder;
  await cluster.send("POST", `/api/v1/namespaces/${NAMESPACE}/configmaps`, {
    metadata: { name: "daily-conf" },
    data: { "spark.properties": app.properties },
  });
  const driver = await cluster.createPod(withSecrets(driverPod(NAME).build()));
  cluster.writeLog(driver, app.log);
  const executor = await cluster.createPod(withSecrets(executorPod(1, NAME).build()));
  cluster.writeLog(executor, app.log);
  for (const pod of [driver, executor]) await tell(pod);
  for (const pod of [executor, driver]) end(pod);
  const [run] = await recorder.runs(1);
  return run?.uid ?? "";
}

async function tell({ metadata }: Pod): Promise<void> {
  const { name, namespace, uid } = metadata ?? {};
  await recorder.cluster.send("POST", `/api/v1/namespaces/${NAMESPACE}/events`, {
    metadata: { name: `${name}.1` },
    ...{ involvedObject: { kind: "Pod", name, namespace, uid }, type: "Warning", reason: "Failed" },
    ...{ message: app.event, count: 1, lastTimestamp: "2026-11-21T10:00:00Z" },
  });
}

function end({ metadata }: Pod): void {
  const { name = "", namespace = "" } = metadata ?? {};
  recorder.cluster.devCluster.podFaults.exit(
    { name, namespace },
    { exitCode: 3, reason: "Error", message: app.exitMessage },
  );
}

/** All files of a folder as text. */
async function textsIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const entry of await readdir(folder, ALL_FILES)) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path);
    texts.set(path, (path.endsWith(".gz") ? gunzipSync(content) : content).toString("utf8"));
  }
  return texts;
}

/** The secrets that a text holds. */
const shownIn = (text: string): readonly string[] => app.secrets.filter((secret) => text.includes(secret));

beforeEach(async () => {
  recorder = await testRecorder();
  app = applicationWithSecrets();
});

test("no secret of an application is in any file of the archive, nor what a log of the recorder says", async () => {
  await ran();
  const texts = await textsIn(recorder.archiveFolder);
  expect(
    [...texts.keys()].map((path) =>
      path
        .split("/")
        .at(-1)
        ?.replace(/^\w+-.*(?=\.jsonl$)/, "index"),
    ),
  ).toEqual(expect.arrayContaining(["run.json", "executors.jsonl.gz", "000001.log.gz", "index.jsonl"]));
  const faults = [...texts].flatMap(([path, text]) => shownIn(text).map((secret) => `${path}: ${secret}`));
  expect(faults).toEqual([]);
  expect(shownIn(recorder.lines.join(""))).toEqual([]);
});

test("no secret of an application is in any answer", async () => {
  const uid = await ran();
  const of = `/api/v1/runs/${uid}`;
  const lists = ["/api/v1/runs", "/api/v1/usage?by=label:api-token", "/api/v1/usage?by=label:team", "/api/v1/usage"];
  for (const path of [of, `${of}/executors`, `${of}/logs/driver`, `${of}/logs/executor-1`, ...lists]) {
    const { status, text } = await recorder.ask(path);
    expect({ path, status, secrets: shownIn(text) }).toEqual({ path, status: 200, secrets: [] });
  }
  const { text } = await recorder.ask(of);
  // The rest stays, so that the run can be understood.
  expect(text).toContain("spark.driver.extraJavaOptions");
  expect(text).toContain("whoever reads *********(redacted) should forget it");
  expect(JSON.parse(text)).toMatchObject({
    run: { name: NAME, state: "failed", why: expect.stringContaining("IllegalStateException") as string },
    termination: { exitCode: 3, message: expect.stringContaining("ended: login") as string },
  });
});

test("a secret cannot be found out by asking for runs that have it", async () => {
  await ran();
  const [, label = ""] = /"(Hx7-label[^"]*)"/.exec(JSON.stringify(app.labels)) ?? [];
  const { text } = await recorder.ask(`/api/v1/runs?label=${encodeURIComponent(`api-token=${label}`)}`);
  expect(JSON.parse(text)).toEqual({ runs: [] });
});
