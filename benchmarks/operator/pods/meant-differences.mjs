// In which ways a pod of ours may differ from stock's. Each function gives both pods without one such difference, and says
// whether there was one.
import { seenEnvironment } from "./seen-environment.mjs";

/** A pod with the container that runs Spark apart: stock has it in the first place or the last, ours may differ. */
export function withSparkApart(pod, name) {
  const { containers, ...spec } = pod.spec;
  const place = containers.findIndex((container) => container.name === name);
  const others = containers.filter((_, index) => index !== place);
  return { ...pod, spec: { ...spec, spark: containers[place], containers: others } };
}

const CONF_VOLUME = "spark-conf-volume-driver";

/** Spark's own configuration joins our driver pods behind the steps; stock's webhook came behind it. */
export function confBehind(pod) {
  const { spark, volumes = [] } = pod.spec;
  const last = (list, isLast) => [...list.filter((item) => !isLast(item)), ...list.filter(isLast)];
  return {
    ...pod,
    spec: {
      ...pod.spec,
      volumes: last(volumes, ({ name }) => name === CONF_VOLUME),
      spark: {
        ...spark,
        volumeMounts: last(spark.volumeMounts ?? [], ({ name }) => name === CONF_VOLUME),
        env: last(spark.env ?? [], ({ name, value }) => name === "SPARK_CONF_DIR" && value === "/opt/spark/conf"),
      },
    },
  };
}

/** Stock's volumes of ConfigMaps with a dot in their names, which the API server refuses, by our names. */
export function withoutDots(theirs, ours) {
  const dotted = (theirs.spec.volumes ?? []).filter(({ name }) => name.includes("."));
  const names = new Map(
    dotted.map(({ name, configMap }) => {
      const own = ours.spec.volumes.find((volume) => volume.configMap?.name === configMap?.name);
      return [name, own?.name ?? name];
    }),
  );
  const renamed = (list) => list?.map((item) => ({ ...item, name: names.get(item.name) ?? item.name }));
  const { volumes, spark } = theirs.spec;
  if (names.size === 0) return theirs;
  const container = { ...spark, volumeMounts: renamed(spark.volumeMounts) };
  return { ...theirs, spec: { ...theirs.spec, volumes: renamed(volumes), spark: container } };
}

/**
 * An executor without what a template cannot give it, as far as the operator says so, and without the order that it
 * cannot keep: what is of Spark stands behind the template, where the webhook came last.
 */
export function asTemplatesCan(pod, { warnings, application }) {
  const { spark, volumes, containers, ...spec } = pod.spec;
  const { env, ports, volumeMounts, envFrom, lifecycle, resources, ...container } = spark;
  const isWarned = (field) => warnings.some((warning) => warning.startsWith(`spec.executor.${field} `));
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

/** What a container sees but for variables that a warning names, and those that refer to them. */
function withoutWarned(env = [], warnings) {
  const lost = new Set(warnings.flatMap((warning) => /^spec\.executor\.env: (\S+)/.exec(warning)?.[1] ?? []));
  const refersTo = ({ value = "" }) => [...lost].some((name) => value.includes(`$(${name})`));
  for (let before = -1; before < lost.size;) {
    before = lost.size;
    for (const variable of env) if (refersTo(variable)) lost.add(variable.name);
  }
  return Object.fromEntries(Object.entries(seenEnvironment(env)).filter(([name]) => !lost.has(name)));
}

function sorted(list = []) {
  const text = (value) => JSON.stringify(value);
  return list.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
}
