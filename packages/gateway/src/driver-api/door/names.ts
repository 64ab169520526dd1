import type { SetKind } from "../../spark/set-marks.ts";

// `KubernetesConf.getResourceNamePrefix`: the name of the application and `KubernetesUtils.uniqueID`, in which a leading
// digit becomes an x. Until 2039 the id has 16 digits.
const GENERATED_PREFIX = /(?:^|-)[0-9a-fx][0-9a-f]{15}$/;
// `KubernetesClientUtils.configMapNameExecutor`.
const CONFIG_MAP = /^spark-exec-[0-9a-f]{16}-conf-map$/;
const CLAIM = /^(.+)-exec-(?:\d+|EXECID)-pvc-\d+$/;
// `MountVolumesFeatureStep`.
const EXECUTOR_ID = "SPARK_EXECUTOR_ID";
const SET_PREFIXES: Readonly<Record<SetKind, string>> = { statefulsets: "spark-s", deployments: "spark-d" };

/** Whether Spark has generated this prefix: it then ends with random digits that are unique. */
export function isGenerated(prefix: string): boolean {
  return GENERATED_PREFIX.test(prefix);
}

/** Whether this may be the name of the ConfigMap that a driver creates for its executors. */
export function isExecutorConfigMap(name: string): boolean {
  return CONFIG_MAP.test(name);
}

/** Whether this is the name of an application's set for a resource profile. */
export function isSetName(kind: SetKind, name: string, applicationId: string): boolean {
  const start = `${SET_PREFIXES[kind]}-${applicationId}-`;
  return name.startsWith(start) && /^\d+$/.test(name.slice(start.length));
}

/** How the names of sets of an application look. */
export function setNameForm(kind: SetKind, applicationId: string): string {
  return `${SET_PREFIXES[kind]}-${applicationId}-<resource profile>`;
}

/**
 * The prefixes of executors in the name of an on-demand claim. The submission's names of claims may add text before and after
 * the prefix.
 */
export function prefixesOfClaim(templates: readonly string[], name: string): string[] {
  const around = templates.flatMap((template) => {
    const [before = "", after, ...more] = template.split("OnDemand");
    if (after === undefined || more.length > 0) return [];
    const isSo = name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after);
    return isSo ? [name.slice(before.length, name.length - after.length)] : [];
  });
  return [name, ...around].flatMap((onDemand) => CLAIM.exec(onDemand)?.[1] ?? []);
}

/** Whether this is a claim's name from the submission, with the id of an executor in it. */
export function isClaimById(templates: readonly string[], name: string): boolean {
  return templates.some((template) => {
    const [before = "", ...rest] = template.split(EXECUTOR_ID);
    const id = /^\d+/.exec(name.slice(before.length))?.[0];
    return rest.length > 0 && id !== undefined && name === template.replaceAll(EXECUTOR_ID, id);
  });
}
