import { afterAll, describe, expect, test } from "vitest";
import { parseProperties } from "@kindling/core-spec";
import {
  commonArguments,
  differences,
  factsOf,
  recordedObjects,
  StubApiServer,
  submitRecordings,
  workFolder,
  type SubmitRecording,
} from "@kindling/recordings";
import { submitArguments } from "./fixtures/submission.ts";

const recordings = submitRecordings();
const versions = [...new Set(recordings.map(({ sparkVersion }) => sparkVersion))].sort();

describe.each(versions)("submissions like those of Spark %s", (version) => {
  const cases = recordings.filter(({ sparkVersion }) => sparkVersion === version);
  const named = (wanted: (recording: SubmitRecording) => boolean): (readonly [string, SubmitRecording])[] =>
    cases.filter(wanted).map((recording) => [recording.name, recording] as const);

  test.concurrent.each(named(({ exit }) => exit === 0))("%s: the same objects", async (_, recording) => {
    const { error, objects } = await submitLike(recording);
    expect(error).toBeUndefined();
    expect(differences(recording.objects, objects)).toEqual([]);
  });

  test.concurrent.each(named(({ exit, rejections }) => exit !== 0 && rejections === undefined))(
    "%s: refused before anything was written",
    async (_, recording) => {
      const { error, wrote } = await submitLike(recording);
      expect(error).toMatchObject({ name: "KindlingError", message: expect.stringMatching(/\S/) });
      expect(wrote).toBe(false);
    },
  );

  test.concurrent.each(named(({ rejections }) => rejections !== undefined))(
    "%s: refused as the API server refuses it",
    async (_, recording) => {
      const { error } = await submitLike(recording);
      expect(error).toMatchObject({ name: "KindlingError", message: expect.stringMatching(/\S/) });
    },
  );
});

async function submitLike(
  recording: SubmitRecording,
): Promise<{ error: unknown; objects: ReturnType<typeof recordedObjects>; wrote: boolean }> {
  const server = await new StubApiServer(recording.rejections).start();
  const work = workFolder(recording.files);
  afterAll(() => work.remove());
  const facts = factsOf(server.address, work.path);
  let error: unknown;
  try {
    const args = [
      ...commonArguments(server.address, recording.sparkVersion),
      ...[...recording.args, ...recording.app].map((word) => work.fill(word)),
    ];
    await submitArguments(args, {
      env: {
        KUBECONFIG: "/dev/null",
        KINDLING_SPARK_VERSION: recording.sparkVersion,
        HADOOP_USER_NAME: "root",
        PATH: process.env["PATH"],
        ...Object.fromEntries(Object.entries(recording.env).map(([key, value]) => [key, work.fill(value)])),
      },
      cwd: work.path,
    });
  } catch (thrown) {
    error = thrown;
  } finally {
    await server.stop();
  }
  return {
    error,
    objects: recordedObjects(server.requests, facts, parseProperties),
    wrote: server.requests.some(({ method, status }) => method !== "GET" && status < 400),
  };
}
