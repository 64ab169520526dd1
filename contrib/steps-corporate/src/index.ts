import type { Container, Pod, SparkConf, Step } from "@kindling/core-spec";
import { certificates, truststoreOptions } from "./certificates.ts";
import * as keys from "./keys.ts";
import { proxyOptions, proxyVariables, unspeakable } from "./proxies.ts";

// The keys for the cluster's operator: a user's own extraJavaOptions come after them and win.
const JAVA_OPTIONS = ["spark.driver.defaultJavaOptions", "spark.executor.defaultJavaOptions"];

/**
 * The company's certificates and proxies, in drivers and executors: files and environment variables for each, and Java
 * options in the configuration that the driver starts with. Without its keys it changes nothing.
 */
const corporate: Step = {
  name: "corporate",
  keys: Object.values(keys),
  // The proxy settings need the address where the driver asks for executors.
  after: ["scheduler"],
  overrides: JAVA_OPTIONS.map((key) => `driverSparkConf[${key}]`),
  configureDriver(spec, { conf, notice }) {
    const { driverSparkConf } = spec;
    const unsaid = unspeakable(conf);
    if (unsaid.length > 0) {
      notice(`${keys.NO_PROXY.key}: a JVM cannot leave out ${unsaid.join(", ")}; write networks of /8, /16 or /24`);
    }
    const options = [...truststoreOptions(conf), ...proxyOptions(conf, driverSparkConf)];
    const added = JAVA_OPTIONS.map((key) => [key, joined(driverSparkConf[key], options)]);
    const { pod, container } = equipped(spec.driverPod, spec.driverContainer, conf, driverSparkConf);
    return {
      ...spec,
      driverPod: pod,
      driverContainer: container,
      ...(options.length > 0 && { driverSparkConf: { ...driverSparkConf, ...Object.fromEntries(added) } }),
    };
  },
  configureExecutor(spec, { conf }) {
    const { pod, container } = equipped(spec.executorPod, spec.executorContainer, conf, conf.entries);
    return { ...spec, executorPod: pod, executorContainer: container };
  },
};

export default corporate;

function joined(present: string | undefined, options: readonly string[]): string {
  return [...(present === undefined ? [] : [present]), ...options].join(" ");
}

/** Existing variables stay unchanged: the user has set them. */
function equipped(
  pod: Pod,
  container: Container,
  conf: SparkConf,
  driverConf: Readonly<Record<string, string>>,
): { pod: Pod; container: Container } {
  const { volumes = [], volumeMounts = [], env = [] } = certificates(conf) ?? {};
  const present = container.env ?? [];
  const wanted = [...env, ...proxyVariables(conf, driverConf)];
  const missing = wanted.filter(({ name }) => !present.some((variable) => variable.name === name));
  return {
    pod:
      volumes.length === 0
        ? pod
        : { ...pod, spec: { ...pod.spec, volumes: [...(pod.spec?.volumes ?? []), ...volumes] } },
    container: {
      ...container,
      ...(missing.length > 0 && { env: [...present, ...missing] }),
      ...(volumeMounts.length > 0 && { volumeMounts: [...(container.volumeMounts ?? []), ...volumeMounts] }),
    },
  };
}
