import { sparkConf, type ConfKey } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { SCHEDULER, SCHEDULER_EXECUTOR_STEPS } from "@kindling/steps";
import { effectiveInstallation, INSTALLATION, type FindInstallation } from "@kindling/submit";

export interface InstalledSchedulerOptions {
  readonly client: KubeClient;
  readonly installations: FindInstallation;
  readonly namespace: string;
  /** The sparkConf; it wins over the installation's. */
  readonly entries: Readonly<Record<string, string>>;
}

/** The keys that decide how the gateway learns about an application. */
const KEYS: readonly ConfKey<unknown>[] = [SCHEDULER, SCHEDULER_EXECUTOR_STEPS];

/**
 * The entries that the installation of Kindling adds to a sparkConf, if the gateway makes the executors; otherwise none.
 *
 * @throws KindlingError if the installation cannot be read
 */
export async function installedGateway(options: InstalledSchedulerOptions): Promise<Readonly<Record<string, string>>> {
  const { client, installations, namespace, entries } = options;
  const named = sparkConf(entries, { sparkVersion: "", env: () => undefined }).get(INSTALLATION);
  const found = await installations(client, { namespace, named });
  const installed = found === undefined ? {} : effectiveInstallation(found, entries).entries;
  if ((entries[SCHEDULER.key] ?? installed[SCHEDULER.key]) !== "gateway") return {};
  return Object.fromEntries(
    KEYS.flatMap(({ key }) => {
      const value = installed[key];
      return value === undefined || entries[key] !== undefined ? [] : [[key, value]];
    }),
  );
}
