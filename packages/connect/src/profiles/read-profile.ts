import { SPARK_CONNECT_PORT } from "@kindling/core-spec";
import type { FieldsReader } from "./fields-reader.ts";
import * as field from "./profile-fields.ts";
import type { Access, ContainerEngine, Profile, SparkEngine } from "./profile.ts";

const DAY_SECONDS = 86_400;
const USUAL_IDLE_SECONDS = 1800;
const USUAL_START_SECONDS = 300;

/** Keys of Spark that the service sets itself, because it must know what they are. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  "spark.kubernetes.namespace",
  "spark.kubernetes.driver.pod.name",
  "spark.connect.grpc.binding.address",
  "spark.connect.grpc.binding.port",
  "spark.connect.authenticate.token",
  "spark.kindling.scheduler.queue",
]);

/** Reads a profile; what is wrong is noted in `fields`. */
export function readProfile(name: string, fields: FieldsReader): Profile | undefined {
  const namespace = fields.required("namespace", field.namespace);
  const engine = fields.has("command") ? containerEngine(fields) : sparkEngine(fields);
  const queue = fields.read("queue", field.queue);
  const profile = {
    name,
    description: fields.read("description", field.text) ?? "",
    sharing: fields.read("sharing", field.oneOf("all", "user", "session")) ?? "user",
    queue,
    queues: fields.read("queues", field.queues) ?? [],
    idleSeconds: fields.read("idle", field.duration) ?? USUAL_IDLE_SECONDS,
    ttlSeconds: fields.read("ttl", field.duration),
    startSeconds: fields.read("startTimeout", field.duration) ?? USUAL_START_SECONDS,
    warm: fields.read("warm", field.whole(0, 100)) ?? 0,
    driversPerUser: fields.read("driversPerUser", field.whole(1, 10_000)) ?? 5,
    sessionsPerUser: fields.read("sessionsPerUser", field.whole(1, 100_000)) ?? 100,
    access: access(fields),
  };
  fields.refuseOthers();
  if (profile.ttlSeconds !== undefined && profile.ttlSeconds <= profile.startSeconds)
    fields.fault("ttl", "ttl ends a driver before startTimeout lets it start");
  if (profile.idleSeconds > 30 * DAY_SECONDS) fields.fault("idle", "idle is more than 30 days");
  return namespace === undefined || engine === undefined ? undefined : { ...profile, namespace, engine };
}

function access(fields: FieldsReader): Access | undefined {
  if (!fields.has("access")) {
    fields.within("access");
    return undefined;
  }
  const inside = fields.within("access");
  const read = { users: inside.read("users", field.texts) ?? [], groups: inside.read("groups", field.texts) ?? [] };
  inside.refuseOthers();
  return read;
}

function sparkEngine(fields: FieldsReader): SparkEngine {
  const image = fields.read("image", field.text);
  const sparkVersion = fields.read("sparkVersion", field.text);
  const own = fields.read("conf", field.settings) ?? {};
  for (const key of Object.keys(own))
    if (OWN_KEYS.has(key)) fields.fault("conf", `${key} is set by kindling-connect; leave it out`);
  const conf = {
    ...entry("spark.kubernetes.container.image", image),
    ...driverConf(fields.within("driver")),
    ...executorConf(fields.within("executor")),
  };
  for (const key of Object.keys(conf))
    if (key in own) fields.fault("conf", `${key} is also said by a field of the profile; leave one of them out`);
  return { kind: "spark", sparkVersion, conf: { ...own, ...conf } };
}

function driverConf(driver: FieldsReader): Readonly<Record<string, string>> {
  const conf = {
    ...entry("spark.driver.cores", driver.read("cores", field.whole(1, 1024))),
    ...entry("spark.driver.memory", driver.read("memory", field.text)),
    ...entry("spark.kubernetes.authenticate.driver.serviceAccountName", driver.read("serviceAccount", field.text)),
  };
  driver.refuseOthers();
  return conf;
}

function executorConf(executor: FieldsReader): Readonly<Record<string, string>> {
  const instances = executor.read("instances", field.whole(0, 100_000));
  const min = executor.read("min", field.whole(0, 100_000));
  const max = executor.read("max", field.whole(1, 100_000));
  const conf = {
    ...entry("spark.executor.cores", executor.read("cores", field.whole(1, 1024))),
    ...entry("spark.executor.memory", executor.read("memory", field.text)),
    ...entry("spark.executor.instances", instances),
    ...(max !== undefined && {
      "spark.dynamicAllocation.enabled": "true",
      "spark.dynamicAllocation.shuffleTracking.enabled": "true",
      "spark.dynamicAllocation.minExecutors": String(min ?? 0),
      "spark.dynamicAllocation.maxExecutors": String(max),
    }),
  };
  if (instances !== undefined && max !== undefined)
    executor.fault("instances", "instances and max contradict each other; leave one of them out");
  if (min !== undefined && max === undefined) executor.fault("min", "min needs max");
  if (min !== undefined && max !== undefined && min > max) executor.fault("min", `min ${min} is more than max ${max}`);
  executor.refuseOthers();
  return conf;
}

function containerEngine(fields: FieldsReader): ContainerEngine | undefined {
  const image = fields.required("image", field.text);
  const command = fields.read("command", field.texts);
  const resources = fields.within("resources");
  const engine = {
    port: fields.read("port", field.whole(1, 65_535)) ?? SPARK_CONNECT_PORT,
    env: fields.read("env", field.settings) ?? {},
    cpu: resources.read("cpu", field.quantity),
    memory: resources.read("memory", field.quantity),
  };
  resources.refuseOthers();
  return image === undefined || command === undefined ? undefined : { kind: "container", image, command, ...engine };
}

function entry(key: string, value: string | number | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [key]: String(value) };
}
