export const NAMESPACE = "ref-ns";

/** The arguments in front of a recording's own. */
export function commonArguments(address: string, sparkVersion: string): string[] {
  const conf = {
    "spark.kubernetes.namespace": NAMESPACE,
    "spark.kubernetes.submission.waitAppCompletion": "false",
    "spark.kubernetes.container.image": `apache/spark:${sparkVersion}`,
  };
  const flags = Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
  return ["--master", `k8s://http://${address}`, "--deploy-mode", "cluster", ...flags];
}

/** The placeholders for texts of one run. */
export function factsOf(address: string, folder: string): Record<string, string> {
  return {
    [folder]: "{work}",
    [`http://${address}`]: "{apiServer}",
    [address]: "{apiServer}",
    [NAMESPACE]: "{namespace}",
  };
}
