import { sparkVersionOf, type Step, type Versioned } from "@kindling/core-spec";
import { basic } from "../steps/basic/basic.ts";
import { configuration } from "../steps/configuration.ts";
import { decommission } from "../steps/decommission.ts";
import { driverCommand } from "../steps/driver-command.ts";
import { driverService } from "../steps/driver-service.ts";
import { envSecrets } from "../steps/env-secrets.ts";
import { executorConfFiles } from "../steps/executor-conf-files.ts";
import { fileUploads } from "../steps/file-uploads.ts";
import { hadoopConf } from "../steps/hadoop-conf.ts";
import { kerberosConf } from "../steps/kerberos-conf.ts";
import { kubernetesCredentials } from "../steps/kubernetes-credentials.ts";
import { localDirs } from "../steps/local-dirs.ts";
import { memory } from "../steps/memory/memory.ts";
import { mountSecrets } from "../steps/mount-secrets.ts";
import { mountVolumes } from "../steps/mount-volumes.ts";
import { networkPolicy } from "../steps/network-policy.ts";
import { podTemplateConfigMap } from "../steps/pod-template-config-map.ts";
import { scheduler } from "../steps/scheduler/scheduler.ts";

/** A step's place in the chain, and the Spark classes that it corresponds to on the driver's and the executor's side. */
export interface ChainRow extends Versioned {
  readonly step: Step;
  readonly driverClass?: string;
  readonly executorClass?: string;
}

/**
 * The built-in steps in their order (KubernetesDriverBuilder and KubernetesExecutorBuilder of each known release), then
 * Kindling's own, and what Spark's `Client` adds when all steps are done. If a whole step differs between versions, its row
 * names the difference; steps ask for smaller differences by name.
 */
export const CHAIN: readonly ChainRow[] = [
  { step: basic, driverClass: "BasicDriverFeatureStep", executorClass: "BasicExecutorFeatureStep" },
  { step: executorConfFiles, executorClass: "BasicExecutorFeatureStep" },
  { step: decommission, executorClass: "BasicExecutorFeatureStep" },
  { step: fileUploads, driverClass: "BasicDriverFeatureStep" },
  {
    step: kubernetesCredentials,
    driverClass: "DriverKubernetesCredentialsFeatureStep",
    executorClass: "ExecutorKubernetesCredentialsFeatureStep",
  },
  { step: driverService, driverClass: "DriverServiceFeatureStep" },
  { step: networkPolicy, driverClass: "NetworkPolicyFeatureStep", from: "network-policy" },
  { step: mountSecrets, driverClass: "MountSecretsFeatureStep", executorClass: "MountSecretsFeatureStep" },
  { step: envSecrets, driverClass: "EnvSecretsFeatureStep", executorClass: "EnvSecretsFeatureStep" },
  { step: mountVolumes, driverClass: "MountVolumesFeatureStep", executorClass: "MountVolumesFeatureStep" },
  { step: driverCommand, driverClass: "DriverCommandFeatureStep" },
  { step: hadoopConf, driverClass: "HadoopConfDriverFeatureStep", executorClass: "HadoopConfExecutorFeatureStep" },
  { step: kerberosConf, driverClass: "KerberosConfDriverFeatureStep" },
  { step: podTemplateConfigMap, driverClass: "PodTemplateConfigMapStep" },
  { step: localDirs, driverClass: "LocalDirsFeatureStep", executorClass: "LocalDirsFeatureStep" },
  { step: scheduler },
  { step: memory },
  { step: configuration },
];

/** The built-in steps of a Spark version, in order. */
export function chain(sparkVersion: string): Step[] {
  const version = sparkVersionOf(sparkVersion);
  return CHAIN.filter((row) => version.holds(row)).map((row) => row.step);
}
