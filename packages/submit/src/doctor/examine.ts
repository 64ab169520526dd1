import { harmlessText, KindlingError } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { INSTALLATION, NO_INSTALLATION } from "../keys/installation-key.ts";
import { SCHEDULER } from "@kindling/steps";
import { STAGING_URI } from "../keys/staging-keys.ts";
import { findInstallation, installationNotice } from "../gather/installation/find-installation.ts";
import type { Installation } from "../gather/installation/installation.ts";
import type { Gathered } from "../gather/gather.ts";
import { confOf } from "../plan/plan-input.ts";
import type { ExamineOptions } from "./examine-options.ts";
import { driverAccountFound, gatewayFound, imageFound } from "./application.ts";
import { look, ok, warning, type Checkup, type Found } from "./finding.ts";
import { installedPods } from "./installed-pods.ts";
import { namespaceFound, quotasFound } from "./namespace.ts";
import { ownRights } from "./rights.ts";
import { stagingCheckups } from "./staging.ts";
import { comparedVersions } from "./versions.ts";

/**
 * Examines an installation as a user who wants to submit to a namespace, one thing after another: what exists, what the user
 * may do, and what can be reached. Leaves nothing behind.
 *
 * @throws only KindlingError `INTERRUPTED`: every other problem is a finding
 */
export async function* examine(options: ExamineOptions): AsyncGenerator<Checkup, void> {
  const { client, namespace, signal } = options;
  const server = await look("API server", () => apiServerFound(client, signal));
  yield server;
  if (server.state === "problem") return;
  yield await look("namespace", () => namespaceFound(client, namespace, signal));
  yield await look("rights", () => ownRights(client, namespace, signal));
  let installation: Installation | undefined;
  yield await look("installation", async () => {
    installation = await findInstallation(client, { namespace, named: options.installation, signal });
    return installationFound(installation, options);
  });
  if (installation !== undefined) yield* installedPods(client, installation.namespace, signal);
  let gathered: Gathered | undefined;
  const configuration = await look("configuration", async () => {
    gathered = await options.gather(installation);
    const own = installation === undefined ? undefined : installationNotice(installation);
    const notices = gathered.input.notices.filter((notice) => notice !== own);
    return ok(harmlessText(notices.join("; ") || "nothing contradicts"));
  });
  yield configuration;
  if (gathered === undefined) return;
  const { input } = gathered;
  const conf = confOf(input);
  yield await look("drivers' account", () => driverAccountFound(conf, options));
  yield await look("gateway", () => gatewayFound(conf, options));
  yield* stagingCheckups(gathered, options);
  if (options.pods) yield await look("Spark's image", () => imageFound(input, options));
  yield await look("quotas", () => quotasFound(client, namespace, signal));
}

/** In older versions, features that Spark 4 needs are known not to work. */
const OLDEST_MINOR = 27;

async function apiServerFound(client: KubeClient, signal: AbortSignal): Promise<Found> {
  const { gitVersion, major, minor } = await client.request<Readonly<Record<string, unknown>>>({
    method: "GET",
    path: "/version",
    signal,
  });
  if (typeof gitVersion !== "string") {
    throw new KindlingError("CLUSTER_UNREACHABLE", `${client.access.server} is no API server`);
  }
  const what = `${client.access.server} is Kubernetes ${harmlessText(gitVersion)}`;
  const isOld = major === "1" && Number.parseInt(String(minor), 10) < OLDEST_MINOR;
  return isOld
    ? warning(what, `the gateway needs scheduling gates, which came with Kubernetes 1.${OLDEST_MINOR}`)
    : ok(what);
}

function installationFound(installation: Installation | undefined, options: ExamineOptions): Found {
  const { namespace, version, installation: named, configured } = options;
  if (installation !== undefined) return comparedVersions(version, installation.version, installation.namespace);
  if (named === NO_INSTALLATION) return ok(`none is wanted (${INSTALLATION.key}=${NO_INSTALLATION})`);
  const places = [
    ...(configured.get(STAGING_URI) === undefined ? [] : ["the staging server"]),
    ...(configured.get(SCHEDULER) === "gateway" ? ["the gateway"] : []),
  ];
  if (places.length > 0)
    return ok(`none, and none is needed: ${places.join(" and ")} ${places.length > 1 ? "are" : "is"} configured here`);
  return warning(
    `there is none in namespace ${namespace}, nor one in namespace kindling that serves it and that you may see`,
    `applications of the image run without one; for files of your disk, and queues: helm install kindling deploy/helm/kindling --namespace kindling --create-namespace --set 'namespaces={${namespace}}'; or say where it is with ${INSTALLATION.key}`,
  );
}
