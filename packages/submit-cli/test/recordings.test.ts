import { describe, expect, test } from "vitest";
import { isKindlingError, messageOf, parseProperties } from "@kindling/core-spec";
import {
  commonArguments,
  differences,
  factsOf,
  namesIn,
  recordedObjects,
  refusalSubjects,
  StubApiServer,
  submitRecordings,
  withPlaceholders,
  workFolder,
  type SubmitRecording,
} from "@kindling/recordings";
import { submitArguments } from "./fixtures/submission.ts";
import { FLAGS } from "@kindling/spark-arguments";

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
    "%s: refused before anything was written, for the same thing",
    async (_, recording) => {
      const { error, wrote, facts } = await submitLike(recording);
      expect(differencesInSubject(recording, error, facts)).toEqual([]);
      expect(wrote).toBe(false);
    },
  );

  test.concurrent.each(named(({ rejections }) => rejections !== undefined))(
    "%s: refused as the API server refuses it",
    async (_, recording) => {
      const { error, facts } = await submitLike(recording);
      expect(differencesInSubject(recording, error, facts)).toEqual([]);
    },
  );
});

// Both refuse these, for different reasons: Kindling knows a class that only later versions of Spark have.
const OTHER_REASON = new Set(["3.5.9/special-class-connect-shell", "3.5.9/special-class-connect-shell-arguments"]);

// The keys of flags, and the key that contains the application's own jar: Kindling names keys where Spark describes them.
const KEYS_OF_FLAGS = new Set([...FLAGS.flatMap(({ effect }) => ("key" in effect ? [effect.key] : [])), "spark.jars"]);

/**
 * The subjects that the real spark-submit's refusal names and Kindling's error with its hint does not, and the keys and flags
 * that only Kindling names, although the user did not give them.
 */
function differencesInSubject(
  recording: SubmitRecording,
  error: unknown,
  facts: Readonly<Record<string, string>>,
): string[] {
  const { name, sparkVersion, stderr = [], args, app, env, files } = recording;
  if (!isKindlingError(error)) return [`it was not refused for the user: ${messageOf(error)}`];
  if (OTHER_REASON.has(`${sparkVersion}/${name}`)) return [];
  const subjects = refusalSubjects(stderr);
  if (subjects.length === 0 && stderr.length > 0) return ["the recording has no subject"];
  const said = withPlaceholders([error.message, error.hint].join("\n"), facts);
  const given = JSON.stringify([args, app, env, files]);
  const foreign = namesIn(error.message).filter(
    (named) =>
      /^(?:spark\.|--)/.test(named) &&
      !given.includes(named) &&
      !KEYS_OF_FLAGS.has(named) &&
      !subjects.some((subject) => named.includes(subject)),
  );
  return [
    ...subjects.filter((subject) => !said.includes(subject)).map((subject) => `not named: ${subject}`),
    ...foreign.map((named) => `named only by ours: ${named}`),
  ];
}

async function submitLike(recording: SubmitRecording): Promise<{
  error: unknown;
  objects: ReturnType<typeof recordedObjects>;
  wrote: boolean;
  facts: Readonly<Record<string, string>>;
}> {
  const server = await new StubApiServer(recording.rejections).start();
  const work = workFolder(recording.files);
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
    work.remove();
    await server.stop();
  }
  return {
    error,
    facts,
    objects: recordedObjects(server.requests, facts, parseProperties),
    wrote: server.requests.some(({ method, status }) => method !== "GET" && status < 400),
  };
}
