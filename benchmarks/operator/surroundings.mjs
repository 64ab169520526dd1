// Whether what Kindling's operator puts around an application is what stock's puts there: kubeflow/spark-operator v2.5.2,
// with its own reconciler and schedulers, on a cluster in memory.
import { addQuantities, compareQuantities, parseQuantity } from "@kindling/core-spec";
import { parse } from "yaml";
import { askStock } from "./ask-stock.mjs";
import { differences } from "./pods/differences.mjs";
import { sourceModules } from "./source-modules.mjs";
import { generatedRequest } from "./surroundings/generated-requests.mjs";

/** The address that each service in memory gets. */
const CLUSTER_IP = "10.96.0.7";
const CREATED_BY = "sparkoperator.k8s.io/created-by-spark-operator";
const TASK_GROUPS = "yunikorn.apache.org/task-groups";

/**
 * Compares generated applications, the operator's settings among what is generated: the error that they are refused with,
 * or the application that is submitted, all objects around it, and what the status says of the UI.
 *
 * What is meant to differ is taken out: our label on services and ingresses, the protocol that the API server would add,
 * the phase of Volcano's groups, and the memory of groups, which is compared with what stock tells YuniKorn.
 *
 * @param {string} program kindling-compare
 * @param {number} [count] of applications
 * @returns {Promise<{applications: number, objects: number, refused: number, groups: number, differences: string[]}>}
 */
export async function compareSurroundings(program, count = 400) {
  const { surroundings, webUiOf } = await sourceModules(["resources/surroundings.ts", "resources/ui-service.ts"]);
  const requests = Array.from({ length: count }, (_, index) => generatedRequest(index + 1));
  const questions = [...requests, ...requests.map(underYunikorn)].map((one) => ({ what: "surroundings", ...one }));
  const answers = askStock(program, questions);
  const found = { applications: count, objects: 0, refused: 0, groups: 0, differences: [] };
  for (const [index, request] of requests.entries()) {
    const stock = ofStock(answers[index]);
    const ours = ofOurs(request, surroundings, webUiOf);
    if (stock.error === undefined) found.objects += Object.keys(stock.objects).length;
    else found.refused += 1;
    const counted = ofYunikorn(answers[count + index]);
    found.groups += takeMemory(request, ours, counted, (text) => found.differences.push(`${index + 1}: ${text}`));
    takeMemory(request, stock, counted, () => undefined);
    if (isUnread(ours)) continue;
    found.differences.push(...differences(stock, ours).map((text) => `${index + 1}${text}`));
  }
  return found;
}

/** The same memory, and nothing else that YuniKorn could mind. */
function underYunikorn({ application, settings, ...rest }) {
  const { driver, executor } = application.spec;
  const spec = {
    ...{ ...application.spec, batchScheduler: "yunikorn", driverIngressOptions: [] },
    driver: { ...driver, coreRequest: "1" },
    executor: { ...executor, coreRequest: "1" },
  };
  const scheduler = { enableBatchScheduler: true, enableService: false };
  return { ...rest, application: { ...application, spec }, settings: { ...settings, ...scheduler } };
}

/** @returns the memory of all pods that stock tells YuniKorn of, if it can be read */
function ofYunikorn({ application }) {
  const groups = application?.spec.driver.annotations[TASK_GROUPS];
  if (groups === undefined) return undefined;
  const memory = JSON.parse(groups).flatMap(({ minMember, minResource }) =>
    Array.from({ length: minMember }, () => parseQuantity(minResource.memory)),
  );
  return memory.reduce(addQuantities);
}

function ofStock({ error, reconcileError, application, objects, driverInfo }) {
  // Ours refuses at once what stock tries again and again.
  if (error !== undefined || reconcileError !== undefined) return { error: error ?? reconcileError };
  const { podName: _, ...ui } = driverInfo;
  return { submitted: submitted(application), objects: byName(objects), ui };
}

function ofOurs({ application, submissionId, sparkApplicationId, settings }, surroundings, webUiOf) {
  const context = {
    submissionId,
    sparkApplicationId,
    settings: {
      ui: { ...settings, ingressUrlFormat: settings.ingressUrlFormat || undefined },
      batchScheduler: {
        enabled: settings.enableBatchScheduler,
        kubeSchedulerNames: settings.kubeSchedulerNames,
        default: settings.defaultBatchScheduler || undefined,
      },
      enableDriverPdb: false,
    },
  };
  try {
    const around = surroundings(application, context);
    const objects = around.objects.map(({ object }) => object);
    const service = objects.find(({ metadata }) => metadata.name === around.driverInfo.webUIServiceName);
    const made = service && { ...service, spec: { ...service.spec, clusterIP: CLUSTER_IP } };
    return {
      submitted: submitted(around.application),
      objects: byName(objects),
      ui: { ...around.driverInfo, ...(made && webUiOf(made)) },
    };
  } catch (error) {
    if (error.name !== "PreparationError") throw error;
    return { error: error.message };
  }
}

/** All that stock changes in an application before it builds its arguments. */
function submitted({ metadata, spec }) {
  const role = ({ annotations = {}, labels = {}, javaOptions, schedulerName }) => {
    const { [TASK_GROUPS]: groups, ...others } = annotations;
    return { annotations: others, groups: groups && JSON.parse(groups), labels, javaOptions, schedulerName };
  };
  return {
    labels: metadata.labels ?? {},
    sparkConf: spec.sparkConf ?? {},
    driver: role(spec.driver),
    executor: role(spec.executor),
  };
}

function byName(objects) {
  return Object.fromEntries(objects.map((object) => [`${object.kind} ${object.metadata.name}`, compared(object)]));
}

/** An object without what only the API server sets. */
function compared({ metadata: { labels = {}, ...metadata }, data, spec, ...object }) {
  const own = { ...labels };
  if (object.kind !== "ConfigMap") delete own[CREATED_BY];
  for (const key of ["resourceVersion", "creationTimestamp"]) delete metadata[key];
  delete object.status;
  return {
    ...object,
    metadata: { ...metadata, labels: own },
    data: data && readData(data),
    spec: spec && readSpec(spec),
  };
}

/** Files by what they mean. */
function readData({ "metrics.properties": properties, "prometheus.yaml": yaml, ...rest }) {
  return { ...rest, properties: properties?.trim().split("\n").sort(), yaml: yaml === undefined ? yaml : parse(yaml) };
}

function readSpec({ ports, ...spec }) {
  const read = { ...spec, ...(ports && { ports: ports.map((port) => ({ ...port, protocol: undefined })) }) };
  delete read.clusterIP;
  return read;
}

/** Takes the memory out of a group, if nobody has written it there, and compares it. */
function takeMemory({ application }, { objects = {} }, counted, differ) {
  const isWritten = Object.keys(application.spec.batchSchedulerOptions?.resources ?? {}).length > 0;
  const groups = Object.values(objects).filter(
    ({ kind, apiVersion }) => kind === "PodGroup" && !(isWritten && apiVersion.startsWith("scheduling.volcano.sh/")),
  );
  for (const { metadata, spec } of groups) {
    // Stock writes nothing if it could read nothing.
    const { memory, ...rest } = spec.minResources ?? {};
    spec.minResources = rest;
    if (counted === undefined || compareQuantities(parseQuantity(memory ?? "0"), counted) !== 0)
      differ(`memory of ${metadata.name} is ${memory}`);
  }
  return groups.length;
}

/** Stock minds what is no size for YuniKorn alone, in other words. */
function isUnread({ error = "" }) {
  return /^failed to process batch scheduler: (unable to parse byte string|failed to parse memory overhead)/.test(
    error,
  );
}
