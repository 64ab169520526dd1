import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import type { Run } from "@kindling/recorder-client";
import { driverPod, executorPod, NAMESPACE } from "../support/recording.ts";
import { bearer, readerToken, type TestRecorder, testRecorder } from "../support/recorder-server.ts";

/** Runs an application to its end. */
async function ran({ cluster }: TestRecorder, name: string, exitCode = 0, namespace = NAMESPACE): Promise<void> {
  const driver = await cluster.createPod(driverPod(name).in(namespace).build());
  cluster.writeLog(driver, [`${name} begins`, "password=hidden12", `${name} ends`]);
  const executor = await cluster.createPod(executorPod(1, name).in(namespace).build());
  cluster.writeLog(executor, ["the executor works"]);
  cluster.end(executor, 0);
  cluster.end(driver, exitCode);
}

const names = (runs: readonly Run[]): readonly string[] => runs.map(({ name }) => name);

async function listed({ ask }: TestRecorder, query: string): Promise<readonly string[]> {
  const { text } = await ask(`/api/v1/runs?${query}`);
  return names((JSON.parse(text) as { readonly runs: Run[] }).runs);
}

test("what is kept of an application can be read when its pods are gone", async () => {
  const recorder = await testRecorder();
  await ran(recorder, "daily");
  const [run] = await recorder.runs(1);
  const of = `/api/v1/runs/${run?.uid}`;
  expect(JSON.parse((await recorder.ask(of)).text)).toMatchObject({
    format: 1,
    run: { name: "daily", state: "succeeded" },
    logs: [{ name: "driver" }, { name: "executor-1" }],
  });
  expect((await recorder.ask(`${of}/logs/driver`)).text).toBe(
    "daily begins\npassword=*********(redacted)\ndaily ends\n",
  );
  expect((await recorder.ask(`${of}/logs/driver?tailLines=1`)).text).toBe("daily ends\n");
  expect((await recorder.ask(`${of}/logs/executor-1`)).text).toBe("the executor works\n");
  const lives = (await recorder.ask(`${of}/executors`)).text.trimEnd().split("\n");
  expect(lives.map((line) => (JSON.parse(line) as { readonly role: string }).role).toSorted()).toEqual([
    "driver",
    "executor",
  ]);
});

test("while an application runs, its logs are there for those who may read them", async () => {
  const recorder = await testRecorder("--auth-mode", "kubernetes");
  const { cluster } = recorder;
  const driver = await cluster.createPod(driverPod("daily").build());
  cluster.writeLog(driver, ["daily begins"]);
  const executor = await cluster.createPod(executorPod(1, "daily").build());
  cluster.writeLog(executor, ["one", "two", "password=hidden12"]);
  cluster.end(executor, 137);
  const reader = bearer(await readerToken(cluster, "reader", { of: NAMESPACE }));
  const of = `/api/v1/runs/${driver.metadata?.uid}/logs`;
  const kept = "one\ntwo\npassword=*********(redacted)\n";
  await eventually(async () =>
    expect(await recorder.ask(`${of}/executor-1`, reader)).toEqual({ status: 200, text: kept }),
  );
  expect((await recorder.ask(`${of}/executor-1?tailLines=1`, reader)).text).toBe("password=*********(redacted)\n");
  await eventually(async () => expect((await recorder.ask(`${of}/driver`, reader)).text).toBe("daily begins\n"));
  const foreigner = bearer(await readerToken(cluster, "foreigner", { of: "elsewhere" }));
  for (const [log, headers] of [
    ["executor-1", foreigner],
    ["executor-2", reader],
    ["..%2Fexecutor-1", reader],
  ] as const)
    expect((await recorder.ask(`${of}/${log}`, headers)).status).toBe(404);
});

test("runs are found by their state, name and labels, and counted by what they reserved", async () => {
  const recorder = await testRecorder();
  await ran(recorder, "daily");
  await ran(recorder, "broken", 1);
  await recorder.runs(2);
  expect(await listed(recorder, "state=failed")).toEqual(["broken"]);
  expect(await listed(recorder, "name=da*")).toEqual(["daily"]);
  expect(await listed(recorder, "label=team=red")).toEqual([]);
  expect((await listed(recorder, "label=team=blue&state=failed&state=succeeded")).toSorted()).toEqual([
    "broken",
    "daily",
  ]);
  const { text } = await recorder.ask("/api/v1/usage?by=label:team");
  expect(JSON.parse(text)).toMatchObject({ groups: [{ key: "blue", runs: 2 }] });
});

test("runs of several namespaces are asked for at once, and the namespaces can be had", async () => {
  const recorder = await testRecorder();
  for (const namespace of [NAMESPACE, "default"]) await ran(recorder, `of-${namespace}`, 0, namespace);
  await recorder.runs(2);
  const { text } = await recorder.ask("/api/v1/namespaces");
  expect(JSON.parse(text)).toEqual({ namespaces: ["default", NAMESPACE] });
  expect((await listed(recorder, `namespace=default&namespace=${NAMESPACE}`)).toSorted()).toEqual([
    "of-default",
    `of-${NAMESPACE}`,
  ]);
  expect(await listed(recorder, "namespace=default&namespace=unknown")).toEqual(["of-default"]);
});

test("lists come in pages, without a run that is missing or there twice", async () => {
  const recorder = await testRecorder();
  for (const name of ["one", "two", "three"]) await ran(recorder, name);
  await recorder.runs(3);
  const found: string[] = [];
  for (let after: string | undefined = ""; after !== undefined;) {
    const { text } = await recorder.ask(`/api/v1/runs?limit=1${after === "" ? "" : `&continue=${after}`}`);
    const page = JSON.parse(text) as { readonly runs: Run[]; readonly continue?: string };
    found.push(...names(page.runs));
    after = page.continue;
  }
  expect(found.toSorted()).toEqual(["one", "three", "two"]);
});

test("readers of a namespace's logs read what is kept of it, and nothing of others", async () => {
  const recorder = await testRecorder("--auth-mode", "kubernetes");
  const { cluster, ask } = recorder;
  await ran(recorder, "daily");
  await ran(recorder, "other", 0, "default");
  const everything = bearer(await readerToken(cluster, "administrator", { of: undefined }));
  const own = bearer(await readerToken(cluster, "reader", { of: NAMESPACE }));
  const runs = await recorder.runs(2, everything);
  expect(names(await recorder.runs(1, own))).toEqual(["daily"]);
  const other = runs.find(({ name }) => name === "other");
  for (const path of ["", "/logs/driver", "/executors"])
    expect(await ask(`/api/v1/runs/${other?.uid}${path}`, own)).toMatchObject({ status: 404 });
  expect(await ask("/api/v1/runs?namespace=default", own)).toMatchObject({ status: 403 });
  expect(await ask(`/api/v1/runs?namespace=${NAMESPACE}&namespace=default`, own)).toMatchObject({ status: 403 });
  expect((await ask("/api/v1/namespaces", own)).text).toBe(JSON.stringify({ namespaces: [NAMESPACE] }));
  expect(await ask("/api/v1/usage", own)).toMatchObject({ text: expect.not.stringContaining("other") as string });
  expect(await ask(`/api/v1/runs/${other?.uid}/logs/driver`, everything)).toMatchObject({ status: 200 });
});

test("a token through the API server's proxy has a field of its own", async () => {
  const { cluster, ask } = await testRecorder("--auth-mode", "kubernetes");
  const token = await readerToken(cluster, "reader", { of: NAMESPACE });
  const fields = { authorization: "Bearer something-else", "kindling-authorization": `Bearer ${token}` };
  expect(await ask("/api/v1/runs", fields)).toMatchObject({ status: 200 });
});

test("nobody reads anything without a token for the recorder alone", async () => {
  const recorder = await testRecorder("--auth-mode", "kubernetes");
  const { cluster, ask } = recorder;
  const wide = await readerToken(cluster, "wide", { of: undefined, audiences: ["kindling-recorder", "api"] });
  const foreign = await readerToken(cluster, "foreign", { of: undefined, audiences: ["kindling-staging"] });
  for (const headers of [{}, bearer("nonsense"), bearer(wide), bearer(foreign)])
    expect(await ask("/api/v1/runs", headers)).toMatchObject({ status: 401 });
});

test.each([
  ["/api/v1/runs?state=happy", "there are succeeded, failed, lost"],
  ["/api/v1/runs?since=yesterday", "write it as 2026-11-21T09:00:00Z"],
  ["/api/v1/runs?continue=x", "pass the member continue"],
  ["/api/v1/runs?limit=0", "limit"],
  ["/api/v1/runs?colour=red", "additional properties"],
  ["/api/v1/usage?by=colour", "label:KEY"],
])("%s is refused with what is right", async (path, words) => {
  const { ask } = await testRecorder();
  const { status, text } = await ask(path);
  expect(status).toBe(400);
  expect(text).toContain(words);
});

test.each(["/api/v1/runs/nothing", "/api/v1/runs/..%2F..", "/api/v1/nothing"])("%s is not there", async (path) => {
  const { ask } = await testRecorder();
  expect(await ask(path)).toMatchObject({ status: 404 });
});

test("a web page with another host name gets nothing from a recorder of this machine", async () => {
  const { ask } = await testRecorder();
  expect(await ask("/api/v1/runs", { host: "evil.example" })).toMatchObject({ status: 403 });
});

test("a run whose files somebody has deleted is said to be gone", async () => {
  const recorder = await testRecorder();
  await ran(recorder, "daily");
  const [run] = await recorder.runs(1);
  await rm(join(recorder.archiveFolder, "v1", "runs"), { recursive: true });
  for (const path of ["", "/logs/driver"])
    expect(await recorder.ask(`/api/v1/runs/${run?.uid}${path}`)).toMatchObject({ status: 404 });
});

test("runs go when they are older than they are kept", async () => {
  const recorder = await testRecorder("--retention-age", "1s", "--retention-interval", "1s");
  await ran(recorder, "daily");
  await recorder.runs(1);
  await eventually(async () => expect(await listed(recorder, "")).toEqual([]), { timeout: 20_000 });
  expect(await readdir(join(recorder.archiveFolder, "v1", "runs")).catch(() => [])).toEqual([]);
});

test("the metrics say what there is", async () => {
  const recorder = await testRecorder();
  await ran(recorder, "daily");
  await recorder.runs(1);
  const metrics = await (await fetch(new URL("metrics", recorder.adminUri))).text();
  expect(metrics).toMatch(/^recorder_runs 1$/m);
  expect(metrics).toMatch(/^recorder_http_request_duration_seconds_count\{route="\/api\/v1\/runs",status="200"\}/m);
});
