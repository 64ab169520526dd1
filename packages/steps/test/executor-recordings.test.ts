import { describe, expect, test } from "vitest";
import {
  configMapName,
  orderSteps,
  parseProperties,
  resourceNamePrefix,
  runExecutorSteps,
  sparkConf,
  type ExecutorRequest,
  type ResourceProfile,
} from "@kindling/core-spec";
import {
  differences,
  executorRecordings,
  normalizeObject,
  type ExecutorRecording,
  type JsonObject,
} from "@kindling/recordings";
import {
  confDirFiles,
  EXECUTOR_POD_TEMPLATE_CONTAINER,
  EXECUTOR_POD_TEMPLATE_FILE,
  executorConfigMap,
  executorObjects,
  initialExecutorSpec,
  runningDriverConf,
  selectSteps,
} from "../src/index.ts";
import { memoryFiles } from "./memory-files.ts";

const WORK = "/work-folder";
const UNIQUE_ID = "0123456789abcdef";
const APP_ID = `spark-${"a".repeat(32)}`;
const FACTS = { [WORK]: "{work}", "recorded-namespace": "{namespace}" };

// The one recording with a second profile asked for this one; it is not part of the driver's configuration.
const RECORDED_PROFILE: ResourceProfile = { id: 1, cores: 2, memory: 3072, memoryOverhead: 500 };

const built = executorRecordings().filter((recording) => recording.exit === 0);
const versions = [...new Set(built.map(({ sparkVersion }) => sparkVersion))].sort();

describe.each(versions)("executors of Spark %s", (version) => {
  test.each(
    built
      .filter((recording) => recording.sparkVersion === version)
      .map((recording) => [recording.name, recording] as const),
  )("%s: the objects are those that the real driver made", (_, recording) => {
    expect(differences(withUnorderedOptions(recording.objects), withUnorderedOptions(objectsLike(recording)))).toEqual(
      [],
    );
  });
});

/** Builds, for each recorded object, the one that the steps make. */
function objectsLike(recording: ExecutorRecording): Record<string, JsonObject> {
  const made: Record<string, JsonObject> = {};
  for (const [name, recorded] of Object.entries(recording.objects)) {
    const kind = String(recorded["kind"]);
    if (kind === "Pod") {
      const id = /-exec-(\d+)$/.exec(name)?.[1] ?? "";
      for (const object of executorLike(recording, id)) Object.assign(made, keyed(object));
    } else if (kind === "ConfigMap") {
      const { request, files } = requestLike(recording, "1");
      Object.assign(made, keyed(executorConfigMap(request, files) as unknown as JsonObject));
    } else if (kind !== "PersistentVolumeClaim") {
      made[name] = setLike(recording, recorded);
    }
  }
  return made;
}

/** A StatefulSet or Deployment, whose pod template is an executor with the id EXECID. */
function setLike(recording: ExecutorRecording, recorded: JsonObject): JsonObject {
  const [pod] = executorLike(recording, "EXECID");
  const spec = recorded["spec"] as JsonObject;
  const template = spec["template"] as JsonObject;
  const made = Object.values(keyed(pod ?? {}))[0] ?? {};
  // The set names its pods; the allocator sets the rest of its own template.
  const { apiVersion: _, kind: __, ...podOnly } = made;
  const metadata = podOnly["metadata"] as JsonObject;
  const recordedMetadata = template["metadata"] as JsonObject;
  const kept = Object.fromEntries(Object.entries(metadata).filter(([key]) => key in recordedMetadata));
  const ofAllocator = Object.fromEntries(
    ["ownerReferences", "annotations"].flatMap((key) =>
      recordedMetadata[key] === undefined ? [] : [[key, recordedMetadata[key]]],
    ),
  );
  return { ...recorded, spec: { ...spec, template: { ...podOnly, metadata: { ...kept, ...ofAllocator } } } };
}

function executorLike(recording: ExecutorRecording, id: string): JsonObject[] {
  const { request } = requestLike(recording, id);
  const { conf } = request;
  const path = conf.raw(EXECUTOR_POD_TEMPLATE_FILE.key);
  const template =
    path === undefined
      ? undefined
      : {
          content: filesOf(recording).readYaml(path, path),
          origin: path,
          containerName: conf.get(EXECUTOR_POD_TEMPLATE_CONTAINER),
        };
  const spec = initialExecutorSpec(template, () => {});
  const run = runExecutorSteps(spec, request, orderSteps(selectSteps(conf, "executor"), []));
  const { pod, resources } = executorObjects(run.spec, request);
  // Spark makes the driver the owner of claims that it creates on demand.
  const claims = resources.map((claim) => ({
    ...claim,
    metadata: {
      ...claim.metadata,
      ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "drv", uid: "drv-uid", controller: true }],
    },
  }));
  return [pod, ...claims] as unknown as JsonObject[];
}

function requestLike(
  recording: ExecutorRecording,
  executorId: string,
): { request: ExecutorRequest; files: Record<string, string> } {
  const { sparkVersion } = recording;
  const entries = Object.fromEntries(
    Object.entries(recording.conf).map(([key, value]) => [
      key,
      value.replaceAll("{work}", WORK).replaceAll("{appId}", APP_ID).replaceAll("{namespace}", "recorded-namespace"),
    ]),
  );
  const env = Object.fromEntries(
    Object.entries(recording.env).map(([name, value]) => [name, value.replaceAll("{W}", WORK)]),
  );
  const conf = sparkConf(runningDriverConf(entries, sparkVersion), { sparkVersion, env: (name) => env[name] });
  const files = confDirFiles({ conf, env, files: filesOf(recording), notice: () => {} });
  const appName = entries["spark.app.name"] ?? "";
  const request: ExecutorRequest = {
    sparkVersion,
    conf,
    appId: APP_ID,
    appName,
    executorId,
    resourceNamePrefix: entries["spark.kubernetes.executor.podNamePrefix"] ?? resourceNamePrefix(appName, UNIQUE_ID),
    resourceProfile: recording.name === "resource-profile" && executorId === "2" ? RECORDED_PROFILE : { id: 0 },
    driverPod: { name: "drv", uid: "drv-uid" },
    user: "root",
    env,
    confFiles: { configMapName: configMapName(`spark-exec-${UNIQUE_ID}`), names: Object.keys(files) },
    authSecret: undefined,
    ids: { uniqueId: () => UNIQUE_ID, uuid: () => "00000000-0000-4000-8000-000000000000" },
    notice: () => {},
  };
  return { request, files };
}

function filesOf(recording: ExecutorRecording): ReturnType<typeof memoryFiles> {
  return memoryFiles(
    Object.fromEntries(Object.entries(recording.files).map(([name, text]) => [`${WORK}/${name}`, text])),
  );
}

function keyed(object: JsonObject): Record<string, JsonObject> {
  const normal = normalizeObject(object, FACTS, parseProperties);
  return { [`${String(normal["kind"])}/${String((normal["metadata"] as JsonObject)["name"])}`]: normal };
}

/**
 * Spark numbers an executor's JVM options in the order of a hash table. The important points are that the user's and Spark's
 * own come in their order, and that all settings are there.
 */
function withUnorderedOptions<T>(value: T): T {
  if (Array.isArray(value)) {
    const isOption = (item: unknown): boolean => String((item as JsonObject)["name"]).startsWith("SPARK_JAVA_OPT_");
    if (!value.some((item) => typeof item === "object" && item !== null && isOption(item))) {
      return value.map((item: unknown) => withUnorderedOptions(item)) as T;
    }
    const number = (item: JsonObject): number => Number(String(item["name"]).slice("SPARK_JAVA_OPT_".length));
    const options = (value.filter(isOption) as JsonObject[])
      .sort((a, b) => number(a) - number(b))
      .map((item) => String(item["value"]));
    const settings = options.filter((option) => option.startsWith("-Dspark."));
    const others = options.filter((option) => !option.startsWith("-Dspark."));
    return [
      ...value.filter((item) => !isOption(item)),
      { name: "JVM options", value: [...others, ...settings.sort()] },
    ] as T;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withUnorderedOptions(member)])) as T;
}
