import type { SparkConf, Step } from "@kindling/core-spec";
import { changingStep } from "../pod-changes/changing-step.ts";
import { NO_CHANGES } from "../pod-changes/combined-changes.ts";
import { krb5Mount } from "./kerberos-conf.ts";

/**
 * Mounts the driver's krb5.conf into executors, too. Spark does not: it means the tokens to be enough, but Hadoop's client
 * looks for a realm as soon as its security is on, and ends with "Can't get Kerberos realm" (KerberosName, HadoopKerberosName).
 *
 * @returns `undefined` if no krb5.conf is configured
 */
export function kerberosExecutors(conf: SparkConf, resourceNamePrefix: string): Step | undefined {
  const mount = krb5Mount(conf, resourceNamePrefix);
  return mount && changingStep("kerberos-executors", { executor: { ...NO_CHANGES, ...mount } });
}
