import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { mirrorOnce } from "@kindling/event-log-shipper";
import { httpTransport, withoutProxy } from "@kindling/http";
import { systemClock } from "@kindling/outside";
import { connectRecorder, fetchEventLog, type RecorderClient, type Run, type Stage } from "@kindling/recorder-client";
import { describe, expect, onTestFinished, test } from "vitest";
import { testFolder } from "../support/archives.ts";
import { driverPod, NAMESPACE } from "../support/recording.ts";
import { bearer, readerToken, type TestRecorder, testRecorder } from "../support/recorder-server.ts";
import { driverOf, ID, LOG, shipping } from "../support/shipping.ts";

const LIMITS = { connectTimeoutMs: 5_000, stallTimeoutMs: 5_000, answerTimeoutMs: 5_000 };

/** An event about a stage, as Spark writes it. */
function stageEvent(event: "Submitted" | "Completed", info: object): string {
  return `${JSON.stringify({ Event: `SparkListenerStage${event}`, "Stage Info": info, Properties: { "spark.x": "1" } })}\n`;
}

function accumulable(name: string, value: unknown): object {
  return { ID: 1, Name: name, Value: value, Internal: true };
}

const FIRST = { "Stage ID": 0, "Stage Attempt ID": 0, "Stage Name": "count at Etl.scala:12", "Number of Tasks": 2 };
const EVENTS = [
  '{"Event":"SparkListenerLogStart","Spark Version":"4.3.0"}\n',
  stageEvent("Submitted", { ...FIRST, "Submission Time": 1_000, Accumulables: [] }),
  `{"Event":"SparkListenerTaskEnd","Stage ID":0,"Task Info":{"name":"{\\"Event\\":\\"SparkListenerStageCompleted\\""}}\n`,
  "this is no JSON\n",
  '{"Event":"SparkListenerStageCompleted","Stage Info":{"Stage ID":"seven"}}\n',
  '{"Event":"SparkListenerStageCompleted","Stage Info":\n',
  stageEvent("Completed", {
    ...{ ...FIRST, "Submission Time": 1_000, "Completion Time": 3_000 },
    Accumulables: [
      accumulable("internal.metrics.executorRunTime", 1_500),
      accumulable("internal.metrics.shuffle.read.localBytesRead", 10),
      accumulable("internal.metrics.shuffle.read.remoteBytesRead", 5),
      accumulable("an application's own", [["list"]]),
    ],
  }),
  stageEvent("Completed", {
    ...{ ...FIRST, "Stage ID": 1, "Stage Name": "save\u001b[31m", "Submission Time": 3_000, "Completion Time": 4_000 },
    ...{ "Failure Reason": "Job aborted\n\tat Etl.main", Accumulables: "none" },
  }),
  stageEvent("Submitted", { ...FIRST, "Stage ID": 2, "Stage Name": "take", "Submission Time": 5_000 }),
];

interface Kept {
  readonly recorder: TestRecorder;
  readonly client: RecorderClient;
  readonly run: Run;
}

/** A run whose event log is kept, read by somebody who may read its namespace. */
async function keptRun(files: Readonly<Record<string, string>>): Promise<Kept> {
  const recorder = await testRecorder("--auth-mode", "kubernetes");
  const driver = await driverOf(recorder);
  const folder = await testFolder();
  await mkdir(join(folder, LOG));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, LOG, name), content);
  const { done } = await shipping(recorder, driver, folder);
  recorder.cluster.end(driver, 0, "Completed", "spark-kubernetes-driver");
  expect(await done).toBe(true);
  const token = await readerToken(recorder.cluster, "reader", { of: NAMESPACE });
  const [run] = await recorder.runs(1, bearer(token));
  if (run === undefined) throw new Error("no run is kept");
  return { recorder, client: clientOf(recorder, token), run };
}

function clientOf(recorder: TestRecorder, token: string): RecorderClient {
  const http = httpTransport({ clock: systemClock, tls: {}, proxies: withoutProxy, ...LIMITS });
  const uri = new URL(recorder.uri);
  const client = connectRecorder({ uri, http, credentialsField: "authorization", token: () => Promise.resolve(token) });
  onTestFinished(() => client.close());
  return client;
}

async function stagesOf({ client, run }: Kept): Promise<readonly Stage[]> {
  const stages: Stage[] = [];
  for await (const stage of client.stages(run.uid)) stages.push(stage);
  return stages;
}

const NOTHING = {
  ...{ gcTime: 0, inputBytes: 0, outputBytes: 0, shuffleReadBytes: 0, shuffleWriteBytes: 0, spilledBytes: 0 },
  ...{ executorTime: 0, attempt: 0, tasks: 2 },
};

describe("stages", () => {
  test("are those that the event log tells of, whatever else is in it", async () => {
    const [before, after] = [EVENTS.slice(0, 4).join(""), EVENTS.slice(4).join("")];
    const kept = await keptRun({ [`events_1_${ID}`]: before, [`events_2_${ID}`]: after, [`appstatus_${ID}`]: "" });
    const name = "count at Etl.scala:12";
    expect(await stagesOf(kept)).toEqual([
      {
        ...{ ...NOTHING, id: 0, name, state: "succeeded", started: 1_000, ended: 3_000 },
        ...{ executorTime: 1_500, shuffleReadBytes: 15 },
      },
      {
        ...NOTHING,
        id: 1,
        name: "save\\u{1b}[31m",
        state: "failed",
        started: 3_000,
        ended: 4_000,
        failure: "Job aborted",
      },
      { ...NOTHING, id: 2, name: "take", state: "running", started: 5_000 },
    ]);
  });

  test("are none if the event log is cut in its first line, or empty, or of a codec that nobody reads", async () => {
    const files = { [`events_1_${ID}`]: '{"Event":"SparkListenerStageComp', [`events_2_${ID}.lz4`]: "?" };
    expect(await stagesOf(await keptRun({ ...files, [`events_3_${ID}`]: "" }))).toEqual([]);
  });
});

describe("the event log of a run that has ended", () => {
  test("is given file by file to those who may read its namespace, and to nobody else", async () => {
    const kept = await keptRun({ [`events_1_${ID}`]: EVENTS.join(""), [`appstatus_${ID}`]: "" });
    const { client, recorder, run } = kept;
    const file = `events_1_${ID}`;
    const size = EVENTS.join("").length;
    expect(await client.eventLog(run.uid)).toEqual({
      folder: LOG,
      files: [
        { name: `appstatus_${ID}`, size: 0 },
        { name: file, size },
      ],
    });
    expect(await text(await client.eventLogFile(run.uid, file))).toBe(EVENTS.join(""));
    await expect(client.eventLogFile(run.uid, "../run.json")).rejects.toMatchObject({ status: 404 });
    await expect(client.eventLogFile(run.uid, "events_9_x")).rejects.toMatchObject({ status: 404 });
    const foreign = clientOf(recorder, await readerToken(recorder.cluster, "foreigner", { of: "elsewhere" }));
    await expect(foreign.eventLogFile(run.uid, file)).rejects.toMatchObject({ status: 404 });
    expect(await foreign.eventLog(run.uid)).toBeUndefined();
  });

  test("is brought whole, or not at all", async () => {
    const { client, run } = await keptRun({ [`events_1_${ID}`]: EVENTS.join(""), [`appstatus_${ID}`]: "" });
    const folder = await testFolder();
    const { signal } = new AbortController();
    const broken = { ...client, eventLogFile: () => Promise.reject(new Error("the recorder is away")) };
    await expect(fetchEventLog(broken, run.uid, { folder, signal })).rejects.toThrow("away");
    expect((await readdir(folder)).filter((name) => !name.startsWith("."))).toEqual([]);
    expect(await fetchEventLog(client, run.uid, { folder, signal })).toBe(LOG);
    expect(await readdir(folder)).toEqual([LOG]);
    expect(await readFile(join(folder, LOG, `events_1_${ID}`), "utf8")).toBe(EVENTS.join(""));
  });
});

test("a mirror has the event logs that are kept, and nothing else", async () => {
  const { client, recorder, run } = await keptRun({ [`events_1_${ID}`]: EVENTS.join(""), [`appstatus_${ID}`]: "" });
  const other = await recorder.cluster.createPod(driverPod("other").build());
  recorder.cluster.end(other, 0, "Completed", "spark-kubernetes-driver");
  await recorder.runs(2, bearer(await readerToken(recorder.cluster, "everybody", { of: undefined })));
  const folder = await testFolder();
  await mkdir(join(folder, "eventlog_v2_spark-gone"));
  await mkdir(join(folder, "mine"));
  const lines: string[] = [];
  const { signal } = new AbortController();
  const options = { folder, namespaces: [NAMESPACE], ageMs: 3_600_000, clock: systemClock, signal };
  const bring = async (recorderOf: typeof client): Promise<void> =>
    await mirrorOnce({ ...options, recorder: recorderOf, write: (line) => void lines.push(line) });
  await bring({ ...client, eventLogFile: () => Promise.reject(new Error("a full disk")) });
  expect(lines).toEqual([
    expect.stringContaining(`the event log of ${NAMESPACE}:${run.driver} cannot be brought: a full`),
  ]);
  await bring(client);
  expect((await readdir(folder)).toSorted()).toEqual([LOG, "mine"]);
  await rm(join(folder, LOG, `events_1_${ID}`));
  await bring(client);
  expect(await readdir(join(folder, LOG))).toEqual([`appstatus_${ID}`]);
  expect(lines).toHaveLength(1);
});
