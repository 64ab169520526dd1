import type { KubeClient } from "@kindling/kube";
import { SCHEDULER } from "@kindling/steps";
import { INSTALLATION, type FindInstallation, type WantedInstallation } from "@kindling/submit";
import { isJsonObject } from "@kindling/spark-application/read";
import type { ObjectRecord } from "../caches/object-record.ts";

export interface GatewayNeedOptions {
  readonly client: KubeClient;
  readonly applications: () => Iterable<ObjectRecord>;
  readonly serves: (namespace: string) => boolean;
  readonly installations: FindInstallation;
}

/**
 * Whether a gateway may have promised executors to an application with a driver: the application names the gateway itself
 * (`spark.kindling.scheduler`), or it names no scheduler and the installation of Kindling names the gateway. An
 * installation that cannot be read counts as if it named the gateway.
 */
export async function needsGateway({
  client,
  applications,
  serves,
  installations,
}: GatewayNeedOptions): Promise<boolean> {
  const undecided = new Map<string, WantedInstallation>();
  for (const { namespace, object } of applications()) {
    if (!serves(namespace) || !hasDriver(object)) continue;
    const conf = at(object, "spec", "sparkConf");
    const scheduler = at(conf, SCHEDULER.key);
    if (scheduler === "gateway") return true;
    if (scheduler !== undefined) continue;
    const wish = at(conf, INSTALLATION.key);
    const named = typeof wish === "string" ? wish : undefined;
    undecided.set(JSON.stringify([namespace, named]), { namespace, named });
  }
  for (const wanted of undecided.values()) {
    try {
      const installation = await installations(client, wanted);
      if (installation?.entries[SCHEDULER.key] === "gateway") return true;
    } catch {
      return true;
    }
  }
  return false;
}

function hasDriver(object: unknown): boolean {
  const state = at(object, "status", "applicationState", "state");
  return state === "SUBMITTED" || state === "RUNNING";
}

/** All objects are searched often, so only the needed field of each is read. */
function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, name) => (isJsonObject(found) ? found[name] : undefined), value);
}
