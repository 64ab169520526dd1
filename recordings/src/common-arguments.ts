export const NAMESPACE = "ref-ns";

/** The arguments that stand before a recording's own. */
export function commonArguments(address: string, sparkVersion: string): string[] {
  return [
    ...["--master", `k8s://http://${address}`, "--deploy-mode", "cluster"],
    ...["--conf", `spark.kubernetes.namespace=${NAMESPACE}`],
    ...["--conf", "spark.kubernetes.submission.waitAppCompletion=false"],
    ...["--conf", `spark.kubernetes.container.image=apache/spark:${sparkVersion}`],
  ];
}

/** What stands for the texts of one run. */
export function factsOf(address: string, folder: string): Record<string, string> {
  return { [folder]: "{work}", [`http://${address}`]: "{apiServer}", [address]: "{apiServer}", [NAMESPACE]: "{namespace}" };
}
