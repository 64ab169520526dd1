// The intended differences between our pods and stock pods. Each function returns a pod without one such difference.
import type { Container, EnvVar, ObjectMeta, Pod, PodSpec, Volume } from "@kindling/core-spec";
import type { SparkApplication } from "@kindling/spark-application";
import { seenEnvironment } from "./seen-environment.ts";

/** A pod that keeps the container of Spark apart from the others. */
export interface PodApart {
  readonly metadata: ObjectMeta;
  readonly spec: Omit<PodSpec, "containers"> & { readonly spark: Container; readonly containers: readonly Container[] };
}

/** In a stock pod, the container that runs Spark is the first or the last one. In our pods it can be at another place. */
export function withSparkApart({ metadata = {}, ...pod }: Pod, name: string): PodApart {
  const { containers = [], ...spec } = pod.spec ?? {};
  const place = containers.findIndex((container) => container.name === name);
  const spark = containers[place];
  if (spark === undefined) throw new Error(`${metadata.name ?? "a pod"} has no container ${name}`);
  return { ...pod, metadata, spec: { ...spec, spark, containers: containers.toSpliced(place, 1) } };
}

const CONF_VOLUME = "spark-conf-volume-driver";

/**
 * In our driver pods, Spark's own configuration comes after the steps. In stock pods, the webhook's changes come after that
 * configuration.
 */
export function confBehind(pod: PodApart): PodApart {
  const { spark, volumes = [] } = pod.spec;
  const isConf = ({ name }: { readonly name: string }): boolean => name === CONF_VOLUME;
  const isConfFolder = ({ name, value }: EnvVar): boolean => name === "SPARK_CONF_DIR" && value === "/opt/spark/conf";
  return {
    ...pod,
    spec: {
      ...pod.spec,
      volumes: withLast(volumes, isConf),
      spark: {
        ...spark,
        volumeMounts: withLast(spark.volumeMounts ?? [], isConf),
        env: withLast(spark.env ?? [], isConfFolder),
      },
    },
  };
}

function withLast<T>(list: readonly T[], isLast: (item: T) => boolean): T[] {
  return [...list.filter((item) => !isLast(item)), ...list.filter(isLast)];
}

/** Gives a stock volume of a ConfigMap our name if its name has a dot. The API server refuses names of volumes with a dot. */
export function withoutDots(theirs: PodApart, ours: PodApart): PodApart {
  const { volumes = [], spark } = theirs.spec;
  const dotted = volumes.filter(({ name }) => name.includes("."));
  if (dotted.length === 0) return theirs;
  const names = new Map(dotted.map((volume) => [volume.name, nameOfOurs(volume, ours)]));
  const renamed = <T extends { readonly name: string }>(list: readonly T[]): T[] =>
    list.map((item) => ({ ...item, name: names.get(item.name) ?? item.name }));
  const container = spark.volumeMounts === undefined ? spark : { ...spark, volumeMounts: renamed(spark.volumeMounts) };
  return { ...theirs, spec: { ...theirs.spec, volumes: renamed(volumes), spark: container } };
}

function nameOfOurs({ name, configMap }: Volume, { spec: { volumes = [] } }: PodApart): string {
  return volumes.find((volume) => volume.configMap?.name === configMap?.name)?.name ?? name;
}

/** What is known about the executors that a template makes. */
interface Templated {
  readonly warnings: readonly string[];
  readonly application: SparkApplication;
}

/**
 * An executor without the parts that a template cannot give it, if the operator warns about them. The order is also removed,
 * because a template cannot keep it: Spark's parts come after the template, but the webhook's parts came last.
 */
export function asTemplatesCan(pod: PodApart, { warnings, application }: Templated): object {
  const { spark, volumes, containers, ...spec } = pod.spec;
  const { env, ports, volumeMounts, envFrom, lifecycle, resources, ...container } = spark;
  const isWarned = (field: string): boolean =>
    warnings.some((warning) => warning.startsWith(`spec.executor.${field} `));
  const { memory, ...limits } = resources?.limits ?? {};
  const { "kubectl.kubernetes.io/default-container": named, ...annotations } = pod.metadata.annotations ?? {};
  const hasSidecars = (application.spec.executor.sidecars ?? []).length > 0;
  return {
    ...pod,
    metadata: { ...pod.metadata, annotations: hasSidecars ? annotations : { ...annotations, named } },
    spec: {
      ...spec,
      volumes: sorted(volumes),
      containers: sorted(containers),
      spark: {
        ...container,
        ports: sorted(ports),
        volumeMounts: sorted(volumeMounts),
        envFrom: sorted(envFrom),
        env: withoutWarned(env, warnings),
        lifecycle: isWarned("lifecycle") ? undefined : lifecycle,
        resources: { ...resources, limits: isWarned("memoryLimit") ? limits : { ...limits, memory } },
      },
    },
  };
}

/** The variables that a container sees, except those that a warning names and those that refer to them. */
function withoutWarned(env: readonly EnvVar[] = [], warnings: readonly string[]): object {
  const lost = new Set(warnings.flatMap((warning) => /^spec\.executor\.env: (\S+)/.exec(warning)?.[1] ?? []));
  const refersTo = ({ value = "" }: EnvVar): boolean => [...lost].some((name) => value.includes(`$(${name})`));
  for (let before = -1; before < lost.size;) {
    before = lost.size;
    for (const variable of env) if (refersTo(variable)) lost.add(variable.name);
  }
  return Object.fromEntries(Object.entries(seenEnvironment(env)).filter(([name]) => !lost.has(name)));
}

function sorted(list: readonly unknown[] = []): unknown[] {
  const text = (value: unknown): string => JSON.stringify(value);
  return list.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
}
