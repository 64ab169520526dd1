import { dial, head } from "@kindling/test-kit/hostile-socket";
import { grant, makeAccount, tokenOf } from "@kindling/test-cluster/accounts";
import { eventually } from "@kindling/test-kit/eventually";
import type { Run } from "@kindling/recorder-client";
import { expect, test } from "vitest";
import { driverPod, executorPod, NAMESPACE } from "../support/recording.ts";
import { bearer, readerToken, type TestRecorder, testRecorder } from "../support/recorder-server.ts";
import { type ForeignRequest, foreignRequests, type Tried } from "./foreign-requests.ts";

/** In everything that is kept of the run that others try for. */
const MARK = "classified";
const OWN = "elsewhere";
/** This is not understood, not allowed, not there, or too long. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 401, 403, 404, 405, 413, 414, 431]);
const AT_ONCE = 16;

async function ran(recorder: TestRecorder, name: string, namespace: string): Promise<void> {
  const { cluster } = recorder;
  const settings = { metadata: { name: `${name}-conf` }, data: { "spark.properties": `spark.note=${name}\n` } };
  await cluster.send("POST", `/api/v1/namespaces/${namespace}/configmaps`, settings);
  const volumes = [{ name: "spark-conf-volume-driver", configMap: { name: `${name}-conf` } }];
  const labels = { team: name, "scheduler.kindling/queue": name };
  const driver = await cluster.createPod(
    driverPod(`${name}-driver`, `spark-${name}`)
      .labels({ ...labels, "spark-app-name": name })
      .in(namespace)
      .spec({ volumes, restartPolicy: "Never" })
      .build(),
  );
  cluster.writeLog(driver, [`${name} works`]);
  const executor = await cluster.createPod(executorPod(1, name).in(namespace).build());
  cluster.writeLog(executor, [`${name} works, too`]);
  cluster.end(executor, 0);
  cluster.end(driver, 3);
}

/** Two runs, and a reader who may read one of them. */
async function scene(): Promise<{
  readonly recorder: TestRecorder;
  readonly tried: Tried;
  readonly reader: Readonly<Record<string, string>>;
}> {
  const recorder = await testRecorder("--auth-mode", "kubernetes");
  await ran(recorder, MARK, NAMESPACE);
  await ran(recorder, "own", OWN);
  const everything = bearer(await readerToken(recorder.cluster, "administrator", { of: undefined }));
  const runs = await recorder.runs(2, everything);
  const reader = bearer(await readerToken(recorder.cluster, "reader", { of: OWN }));
  return { recorder, reader, tried: triedOf(runs) };
}

function triedOf(runs: readonly Run[]): Tried {
  const [others, own] = [NAMESPACE, OWN].map((namespace) => runs.find((run) => run.namespace === namespace));
  if (others === undefined || own === undefined) throw new Error("both runs should be kept");
  return { ...others, own };
}

interface Answered {
  readonly status: number | undefined;
  /** Every byte of the answer. */
  readonly text: string;
}

async function sent(uri: string, request: ForeignRequest, reader: Readonly<Record<string, string>>): Promise<Answered> {
  const { method, path, fields = {}, body = "" } = request;
  const socket = dial(uri);
  socket.send(head(method, path, { connection: "close", ...reader, ...fields }), body);
  const text = await socket.text;
  // An interim answer comes before the real one (RFC 9110, 15.2).
  const statuses = Array.from(text.matchAll(/^HTTP\/1\.1 (\d{3})/gm), ([, status]) => Number(status));
  return { status: statuses.find((status) => status >= 200), text };
}

async function inTurn<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const worker = async (): Promise<void> => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const shown = ({ method, path, fields, body = "" }: ForeignRequest): string =>
  `${method} ${path.slice(0, 200)} ${JSON.stringify(fields ?? {})} ${body}`;

test("a user of another namespace gets nothing, in more than 500 tries", async () => {
  const { recorder, tried, reader } = await scene();
  const requests = foreignRequests(tried);
  expect(requests.length).toBeGreaterThan(500);
  const faults: string[] = [];
  let own = 0;
  await inTurn(requests, async (request) => {
    const { status, text } = await sent(recorder.uri, request, reader);
    const isRefused = REFUSALS.has(status) || (request.mayShowOwn === true && status === 200);
    if (!isRefused || text.includes(MARK)) faults.push(`${shown(request)}: ${text}`);
    if (request.path === "/api/v1/runs?" && text.includes(tried.own.uid)) own++;
  });
  expect(faults).toEqual([]);
  // The reader was somebody all the time: the own run was there to be read.
  expect(own).toBe(1);
  expect(await recorder.ask(`/api/v1/runs/${tried.own.uid}/logs/driver`, reader)).toMatchObject({ status: 200 });
});

test("nothing tells a run of others from one that does not exist", async () => {
  const { recorder, tried, reader } = await scene();
  const without = (text: string): string => text.replaceAll(/^(request-id|date): .*$/gim, "");
  for (const end of ["", "/executors", "/logs/driver", "/logs/nothing", "/logs/driver?tailLines=1"]) {
    const [others, nothing] = await Promise.all(
      [tried.uid, tried.uid.replaceAll(/[a-f]/g, "0")].map((uid) =>
        sent(recorder.uri, { method: "GET", path: `/api/v1/runs/${uid}${end}` }, reader),
      ),
    );
    expect(without(others?.text ?? "")).toBe(without(nothing?.text ?? "x"));
  }
});

test("rights that are taken away end with what is cached of them", async () => {
  const recorder = await testRecorder("--auth-mode", "kubernetes", "--auth-cache", "1s");
  const { cluster, ask } = recorder;
  await ran(recorder, "own", OWN);
  const account = { namespace: "default", name: "leaver" };
  await makeAccount(cluster, account);
  const rules = [{ apiGroups: [""], resources: ["pods/log"], verbs: ["get"] }];
  const takeAway = await grant(cluster, account, rules, OWN);
  const reader = bearer(tokenOf(cluster, account, ["kindling-recorder"]));
  const [run] = await recorder.runs(1, reader);
  await takeAway();
  await eventually(async () => expect(await ask(`/api/v1/runs/${run?.uid}`, reader)).toMatchObject({ status: 404 }));
});

test("the page of metrics, which asks nobody for a token, names queues and teams, and no run", async () => {
  const { recorder } = await scene();
  const metrics = await (await fetch(new URL("metrics", recorder.adminUri))).text();
  expect(metrics).toContain("recorder_runs 2");
  expect(metrics.replaceAll(`queue="${MARK}",team="${MARK}"`, "")).not.toContain(MARK);
});
