import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  commonArguments,
  NAMESPACE,
  StubApiServer,
  submitRecordings,
  workFolder,
  type RecordedRequest,
  type SubmitRecording,
} from "@kindling/recordings";
import { ApiClient } from "@kindling/test-kit/api-client";
import { connectionFromFile } from "@kindling/test-kit/api-connection";
import { isObject, type Json } from "@kindling/test-kit/json";
import { submitArguments } from "./fixtures/submission.ts";

/** The default kubeconfig is not used: it may be someone's production. */
const kubeconfig = process.env["KUBECONFIG"] ?? "";

/** Here every API server refuses the objects of the real spark-submit, too, or they have fields that none knows. */
const REFUSED_EVERYWHERE = new Set(["app-id-placeholders", "template-sidecars", "yaml-unknown"]);

/** Without those whose API server was told to refuse. */
const recordings = submitRecordings().filter(
  ({ name, exit, rejections }) => exit === 0 && rejections === undefined && !REFUSED_EVERYWHERE.has(name),
);

describe.skipIf(kubeconfig === "")("objects like those of recorded submissions, on the cluster of KUBECONFIG", () => {
  let client: ApiClient;
  let namespace: string;

  beforeAll(async () => {
    client = new ApiClient(await connectionFromFile(kubeconfig));
    const { body } = await client.post("/api/v1/namespaces", { metadata: { generateName: "kindling-recordings-" } });
    namespace = isObject(body["metadata"]) ? String(body["metadata"]["name"]) : "";
  });
  afterAll(async () => {
    await client.delete(`/api/v1/namespaces/${namespace}`);
    client.close();
  });

  test.concurrent.each(recordings.map((recording) => [recording.sparkVersion, recording.name, recording] as const))(
    "of Spark %s, %s: are accepted, and every field of them is known",
    async (_version, _name, recording) => {
      const refusals = (await writesOf(recording)).map(async ({ method, path, body }) => {
        const object = JSON.parse(JSON.stringify(forAnyCluster(body)).replaceAll(NAMESPACE, namespace)) as Json;
        const isApply = method === "PATCH";
        const query = `dryRun=All&fieldValidation=Strict&fieldManager=recordings${isApply ? "&force=true" : ""}`;
        const headers = isApply ? { "Content-Type": "application/apply-patch+yaml" } : {};
        const target = `${path.replaceAll(NAMESPACE, namespace)}?${query}`;
        const { status, text } = await client.request(method, target, object, { headers });
        return status < 300 ? [] : [`${method} ${path}: ${status} ${text}`];
      });
      expect((await Promise.all(refusals)).flat()).toEqual([]);
    },
  );
});

/** What a submission with the arguments of a recording writes, without the kinds of other projects. */
async function writesOf({
  sparkVersion,
  args,
  app,
  env,
  files,
  rejections,
}: SubmitRecording): Promise<readonly RecordedRequest[]> {
  const server = await new StubApiServer(rejections).start();
  const work = workFolder(files);
  try {
    const words = [
      ...commonArguments(server.address, sparkVersion),
      ...[...args, ...app].map((word) => work.fill(word)),
    ];
    const filled = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, work.fill(value)]));
    const own = { KUBECONFIG: "/dev/null", KINDLING_SPARK_VERSION: sparkVersion, HADOOP_USER_NAME: "root" };
    await submitArguments(words, { env: { ...own, PATH: process.env["PATH"], ...filled }, cwd: work.path });
  } finally {
    work.remove();
    await server.stop();
  }
  return server.requests.filter(
    ({ method, path }) => ["POST", "PATCH"].includes(method) && !path.startsWith("/apis/scheduling.volcano.sh/"),
  );
}

/** The accounts and priorities that pods name are not there. */
function forAnyCluster(body: unknown): unknown {
  if (!isObject(body) || body["kind"] !== "Pod" || !isObject(body["spec"])) return body;
  const { serviceAccount: _one, serviceAccountName: _other, priorityClassName: _class, ...spec } = body["spec"];
  return { ...body, spec };
}
