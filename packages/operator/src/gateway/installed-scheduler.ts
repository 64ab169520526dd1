import { sparkConf, type ConfKey } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { SCHEDULER, SCHEDULER_EXECUTOR_STEPS } from "@kindling/steps";
import { effectiveInstallation, INSTALLATION, type FindInstallation } from "@kindling/submit";
import type { SparkApplication } from "../api/v1beta2/spark-application.ts";
import { withSparkConf } from "../resources/changed-application.ts";

export interface InstalledSchedulerOptions {
  readonly client: KubeClient;
  readonly installations: FindInstallation;
}

/** What decides how an application is told to the gateway. */
const KEYS: readonly ConfKey<unknown>[] = [SCHEDULER, SCHEDULER_EXECUTOR_STEPS];

/**
 * An application whose sparkConf says whether the gateway makes its executors, also where it leaves that to the
 * installation of Kindling.
 *
 * @throws KindlingError where the installation cannot be looked at
 */
export async function withInstalledScheduler(
  application: SparkApplication,
  { client, installations }: InstalledSchedulerOptions,
): Promise<SparkApplication> {
  const { metadata, spec } = application;
  const entries = spec.sparkConf ?? {};
  const named = sparkConf(entries, { sparkVersion: "", env: () => undefined }).get(INSTALLATION);
  const found = await installations(client, { namespace: metadata.namespace, named });
  const installed = found === undefined ? {} : effectiveInstallation(found, entries).entries;
  if ((entries[SCHEDULER.key] ?? installed[SCHEDULER.key]) !== "gateway") return application;
  const told = KEYS.flatMap(({ key }) => (installed[key] === undefined ? [] : [[key, installed[key]]]));
  return told.length === 0 ? application : withSparkConf(application, { ...Object.fromEntries(told), ...entries });
}
