import {
  confType,
  KindlingError,
  messageOf,
  optionalConfKey,
  type ConfKey,
  type KubernetesResource,
  type Pod,
  type Step,
  type Submission,
} from "@kindling/core-spec";
import { onDriver, onExecutor } from "../spark-pod.ts";

const GROUP_ANNOTATION = "scheduling.k8s.io/group-name";

export const POD_GROUP_TEMPLATE_FILE: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.scheduler.volcano.podGroupTemplateFile",
  type: confType.text,
  since: "3.3.0",
  readBy: ["submit"],
  doc: "A file with a template for the application's PodGroup, as YAML or JSON. It is used if the Volcano step is on.",
});

export const POD_GROUP_TEMPLATE_JSON: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.scheduler.volcano.podGroupTemplateJson",
  type: confType.text,
  since: "4.0.0",
  readBy: ["submit"],
  doc: "The same template, as JSON in the value itself. The file wins.",
});

/**
 * Puts driver and executors into one PodGroup of the Volcano scheduler, which is created before the driver pod. Counterpart
 * of `VolcanoFeatureStep`, which runs only if spark.kubernetes.{driver,executor}.pod.featureSteps names it.
 */
export const volcano: Step = {
  name: "volcano",
  keys: [POD_GROUP_TEMPLATE_FILE, POD_GROUP_TEMPLATE_JSON],
  overrides: [
    `driverPod.metadata.annotations[${GROUP_ANNOTATION}]`,
    `executorPod.metadata.annotations[${GROUP_ANNOTATION}]`,
  ],
  localFiles: (conf) => [conf.raw(POD_GROUP_TEMPLATE_FILE.key)].filter((path) => path !== undefined),
  configureDriver(spec, submission) {
    const { appId, namespace } = submission;
    const template = podGroupTemplate(submission);
    const podGroup = {
      spec: {},
      ...template,
      apiVersion: "scheduling.volcano.sh/v1beta1",
      kind: "PodGroup",
      metadata: { ...template.metadata, name: groupName(appId), namespace },
    };
    const annotated = onDriver(spec, ({ pod, container }) => ({ pod: inGroup(pod, appId), container }));
    return { ...annotated, preKubernetesResources: [...annotated.preKubernetesResources, podGroup] };
  },
  configureExecutor: (spec, { appId }) =>
    onExecutor(spec, ({ pod, container }) => ({ pod: inGroup(pod, appId), container })),
};

function podGroupTemplate({ conf, files }: Submission): Partial<KubernetesResource> {
  const path = conf.raw(POD_GROUP_TEMPLATE_FILE.key);
  const json = conf.raw(POD_GROUP_TEMPLATE_JSON.key);
  if (path !== undefined) {
    const origin = `${POD_GROUP_TEMPLATE_FILE.key}: ${path}`;
    return objectOf(files.readYaml(path, origin, "PodGroup"), origin);
  }
  return json === undefined ? {} : objectOf(parseJson(json), POD_GROUP_TEMPLATE_JSON.key);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new KindlingError("TEMPLATE_INVALID", `${POD_GROUP_TEMPLATE_JSON.key}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function objectOf(value: unknown, origin: string): Partial<KubernetesResource> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new KindlingError("TEMPLATE_INVALID", `${origin}: there is no object`);
  }
  return value;
}

function groupName(appId: string): string {
  return `${appId}-podgroup`;
}

function inGroup(pod: Pod, appId: string): Pod {
  const annotations = { ...pod.metadata?.annotations, [GROUP_ANNOTATION]: groupName(appId) };
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}
