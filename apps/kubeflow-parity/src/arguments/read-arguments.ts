import type { ArgumentPlaces, Translation } from "@kindling/operator/testing";

const FLAGS_WITHOUT_VALUE = new Set(["--load-spark-defaults"]);

/** Where a pod finds its API server, as variables. */
export interface ApiServerPlace {
  readonly KUBERNETES_SERVICE_HOST: string;
  readonly KUBERNETES_SERVICE_PORT: string;
}

/** Where the operator reaches its API server, and where stock writes its templates. */
export function places(
  submissionId: string,
  { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port }: ApiServerPlace,
): ArgumentPlaces {
  return {
    master: `k8s://https://${host}:${port}`,
    driverTemplateFile: `/tmp/spark/${submissionId}/driver-pod-template.yaml`,
    executorTemplateFile: `/tmp/spark/${submissionId}/executor-pod-template.yaml`,
  };
}

/** What spark-submit reads in its arguments. */
export interface ReadArguments {
  readonly flags: Readonly<Record<string, string>>;
  readonly conf: Readonly<Record<string, string>>;
  readonly main: string | undefined;
  readonly arguments: readonly string[];
}

/** Reads flags up to the first word that is not a flag. If a flag occurs more than once, the last one wins. */
export function readArguments(list: readonly string[]): ReadArguments {
  const flags: Record<string, string> = {};
  const conf: Record<string, string> = {};
  let at = 0;
  for (let flag = list[at]; flag?.startsWith("--"); flag = list[at]) {
    const hasValue = !FLAGS_WITHOUT_VALUE.has(flag);
    const value = hasValue ? (list[at + 1] ?? "") : "";
    at += hasValue ? 2 : 1;
    if (flag === "--conf") {
      const sign = value.indexOf("=");
      conf[value.slice(0, sign)] = value.slice(sign + 1);
    } else flags[flag] = value;
  }
  return { flags, conf, main: list[at], arguments: list.slice(at + 1) };
}

/**
 * Both pod templates of a translation. Where our translation has none, it is the empty template that the stock operator writes.
 */
export function templatesOf({ driverTemplate, executorTemplate }: Translation): readonly [object | undefined, object] {
  const empty = { metadata: {}, spec: { containers: [{ name: "spark-kubernetes-executor" }] } };
  return [driverTemplate, executorTemplate ?? empty];
}
