import type { InstanceStatus } from "../control/instance-status.ts";

/** The variables with which commands find an instance, in the order in which they are shown. */
export const INSTANCE_VARIABLES = ["KUBECONFIG", "SPARK_CONF_DIR"] as const;

export type InstanceVariables = Readonly<Record<(typeof INSTANCE_VARIABLES)[number], string>>;

export function instanceVariables({
  kubeconfig,
  confDir,
}: Pick<InstanceStatus, "kubeconfig" | "confDir">): InstanceVariables {
  return { KUBECONFIG: kubeconfig, SPARK_CONF_DIR: confDir };
}
