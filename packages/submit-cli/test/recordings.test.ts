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
import { submit } from "../src/index.ts";

const recordings = submitRecordings();
const versions = [...new Set(recordings.map(({ sparkVersion }) => sparkVersion))].sort();

describe.each(versions)("submissions like those of Spark %s", (version) => {
  const cases = recordings.filter(({ sparkVersion }) => sparkVersion === version);
  test.concurrent.each(cases.map((recording) => [recording.name, recording] as const))("%s", async (_, recording) => {
    const { error, objects, wrote } = await submitLike(recording);
    if (recording.exit === 0) {
      expect(error).toBeUndefined();
      expect(differences(recording.objects, objects)).toEqual([]);
    } else {
      // What the real one refuses, this one refuses; and it has written nothing unless the API server was the one to refuse.
      expect(error).toMatchObject({ name: "KindlingError", message: expect.stringMatching(/\S/) as string });
      if (recording.rejections === undefined) expect(wrote).toBe(false);
    }
  });
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
    await submit({
      args: [
        ...commonArguments(server.address, recording.sparkVersion),
        ...[...recording.args, ...recording.app].map((word) => work.fill(word)),
      ],
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
