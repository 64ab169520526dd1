const FLAGS_WITHOUT_VALUE = new Set(["--load-spark-defaults"]);

/** Where the operator reaches its API server, and where stock writes its templates. */
export function places(submissionId, { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port }) {
  return {
    master: `k8s://https://${host}:${port}`,
    driverTemplateFile: `/tmp/spark/${submissionId}/driver-pod-template.yaml`,
    executorTemplateFile: `/tmp/spark/${submissionId}/executor-pod-template.yaml`,
  };
}

/**
 * What spark-submit reads in its arguments: flags in front of the first word that is none, the last of each wins.
 *
 * @param {readonly string[]} list
 * @returns {{flags: Record<string, string>, conf: Record<string, string>, main: string, arguments: string[]}}
 */
export function readArguments(list) {
  const read = { flags: {}, conf: {} };
  let at = 0;
  while (list[at]?.startsWith("--")) {
    const flag = list[at];
    const value = FLAGS_WITHOUT_VALUE.has(flag) ? "" : list[at + 1];
    at += FLAGS_WITHOUT_VALUE.has(flag) ? 1 : 2;
    if (flag === "--conf") {
      const sign = value.indexOf("=");
      read.conf[value.slice(0, sign)] = value.slice(sign + 1);
    } else read.flags[flag] = value;
  }
  return { ...read, main: list[at], arguments: list.slice(at + 1) };
}

/** Both pod templates of a translation; where ours has none, the empty one that stock writes. */
export function templatesOf({ driverTemplate, executorTemplate }) {
  const empty = { metadata: {}, spec: { containers: [{ name: "spark-kubernetes-executor" }] } };
  return [driverTemplate, executorTemplate ?? empty];
}
