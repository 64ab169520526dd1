import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import {
  DRIVER,
  isKindlingError,
  KindlingError,
  ownerOf,
  runExecutorSteps,
  SHUFFLE_CONTAINER,
  SPARK_EXECUTOR_ID_LABEL,
  SPARK_RESOURCE_PROFILE_ID_LABEL,
  type Container,
  type ExecutorRequest,
  type Pod,
  type Step,
} from "@kindling/core-spec";
import { EXECUTOR_POD_TEMPLATE_CONTAINER } from "@kindling/steps";
import { objectAt, objectsAt, textAt } from "../../../json/fields.ts";
import type { ExecutorRecipe } from "./executor-recipe.ts";
import { seededIdentifiers } from "./seeded-identifiers.ts";

/** The application to which an executor belongs. */
export interface ExecutorOwner {
  readonly id: string;
  readonly namespace: string;
  readonly driverName: string;
  readonly driverUid: string;
}

/** What is to be created for an executor. */
export interface ConfiguredExecutor {
  readonly pod: KubeObject;
  /** Created after the pod, and owned by it. */
  readonly objects: readonly KubeObject[];
  /** What the application itself wants: the pod without the steps that the gateway's administrator has installed. */
  readonly wanted: KubeObject;
}

/**
 * What a driver asks for, with what the steps add. Everything that the driver has set stays, unless a step changes it
 * explicitly.
 */
export function configuredExecutor(
  recipe: ExecutorRecipe,
  owner: ExecutorOwner,
  asked: KubeObject,
): ConfiguredExecutor {
  const configured = withSteps(recipe, owner, asked);
  const { steps, brought } = recipe;
  if (brought.size === steps.length) return { ...configured, wanted: configured.pod };
  const own = steps.filter((step) => brought.has(step));
  const wanted = own.length === 0 ? asked : withSteps({ ...recipe, steps: own }, owner, asked).pod;
  return { ...configured, wanted };
}

function withSteps(
  recipe: ExecutorRecipe,
  owner: ExecutorOwner,
  asked: KubeObject,
): Pick<ConfiguredExecutor, "pod" | "objects"> {
  const containers = objectsAt(asked, "spec", "containers");
  const place = sparkContainer(containers, recipe);
  const others = containers.filter((_, index) => index !== place);
  const initial = {
    executorPod: { ...asked, spec: { ...objectAt(asked, "spec"), containers: others } } as unknown as Pod,
    executorContainer: (containers[place] ?? { name: "" }) as unknown as Container,
    executorKubernetesResources: [],
  };
  const { spec, provenance } = runNamed(recipe.steps, (steps) =>
    runExecutorSteps(initial, executorRequest(recipe, owner, saidIn(asked, owner)), steps, DRIVER),
  );
  const { executorPod, executorContainer, executorKubernetesResources } = spec;
  const all = executorPod.spec?.containers ?? [];
  // The kubelet starts containers in their order, and an executor needs its shuffle server when it starts.
  const after = all[0]?.name === SHUFFLE_CONTAINER ? place + 1 : place;
  const pod = {
    ...executorPod,
    spec: { ...executorPod.spec, containers: [...all.slice(0, after), executorContainer, ...all.slice(after)] },
  };
  const objects = executorKubernetesResources.map((resource) => {
    const namespace = resource.metadata.namespace ?? owner.namespace;
    if (namespace !== owner.namespace) {
      const { kind, metadata } = resource;
      const step = ownerOf(`executorKubernetesResources[${kind}/${metadata.name}]`, provenance);
      const what = `step ${step} puts the ${kind} ${metadata.name} into the namespace ${namespace}`;
      throw new KindlingError("STEP_INVALID", what, {
        hint: "an executor owns only objects of its own namespace",
      });
    }
    return { ...resource, metadata: { ...resource.metadata, namespace } };
  });
  return { pod: pod as unknown as KubeObject, objects: objects as unknown as KubeObject[] };
}

/** Runs steps so that every error names the step that it comes from. */
function runNamed<T>(steps: readonly Step[], body: (steps: readonly Step[]) => T): T {
  let running = "";
  const told = steps.map((step): Step => ({
    ...step,
    configureExecutor(spec, executor) {
      running = step.name;
      return step.configureExecutor?.(spec, executor) ?? spec;
    },
  }));
  try {
    return body(told);
  } catch (error) {
    if (!isKindlingError(error) || error.message.startsWith(`step ${running} `)) throw error;
    const { code, hint, message } = error;
    throw new KindlingError(code, `step ${running}: ${message}`, { ...(hint !== undefined && { hint }), cause: error });
  }
}

/** The index of the container that runs Spark: the one with Spark's name, else the first. */
export function sparkContainer(containers: readonly JsonObject[], { conf }: Pick<ExecutorRecipe, "conf">): number {
  const names = [conf.raw(EXECUTOR_POD_TEMPLATE_CONTAINER.key), "spark-kubernetes-executor"];
  const places = names.map((name) =>
    name === undefined ? -1 : containers.findIndex((container) => container["name"] === name),
  );
  return places.find((place) => place >= 0) ?? 0;
}

/** What a request says about a single executor. */
export type OfOneExecutor = Pick<
  ExecutorRequest,
  "executorId" | "resourceNamePrefix" | "resourceProfile" | "confFiles" | "ids"
>;

/** What the steps of an application are told about one of its executors. */
export function executorRequest(
  { sparkVersion, appName, conf, env }: Omit<ExecutorRecipe, "steps" | "brought" | "confFiles">,
  { id, driverName, driverUid }: ExecutorOwner,
  ofOne: OfOneExecutor,
): ExecutorRequest {
  return {
    ...{ sparkVersion, conf, appId: id, appName, env },
    driverPod: { name: driverName, uid: driverUid },
    user: env["SPARK_USER"] ?? "",
    authSecret: undefined,
    notice: () => {},
    ...ofOne,
  };
}

/** What a driver says about an executor in the pod that it asks for. */
function saidIn(asked: KubeObject, { driverUid }: ExecutorOwner): OfOneExecutor {
  const { name, labels = {} } = asked.metadata;
  const executorId = labels[SPARK_EXECUTOR_ID_LABEL] ?? "";
  const profile = Number(labels[SPARK_RESOURCE_PROFILE_ID_LABEL] ?? "0");
  return {
    executorId,
    resourceNamePrefix: name.endsWith(`-exec-${executorId}`) ? name.slice(0, -`-exec-${executorId}`.length) : name,
    resourceProfile: { id: Number.isInteger(profile) ? profile : 0 },
    confFiles: confFilesOf(asked),
    ids: seededIdentifiers(`${driverUid}/${name}`),
  };
}

function confFilesOf(asked: KubeObject): ExecutorRequest["confFiles"] {
  const volume = objectsAt(asked, "spec", "volumes").find(({ name }) => name === "spark-conf-volume-exec");
  const names = objectsAt(volume, "configMap", "items").flatMap((item) => textAt(item, "key") ?? []);
  return { configMapName: textAt(volume, "configMap", "name") ?? "", names };
}
