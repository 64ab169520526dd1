import { KindlingError, USUAL_NAMESPACE } from "@kindling/core-spec";
import { isKubeError, linkedAbort, resources, type KubeClient } from "@kindling/kube";
import { clusterError } from "../../cluster/cluster-error.ts";
import { INSTALLATION, NO_INSTALLATION } from "../../keys/installation-key.ts";
import { CONFIG_MAP, parseInstallation, type Installation } from "./installation.ts";

// Another ConfigMap may have the same name by chance.
const PART_OF = "app.kubernetes.io/part-of";

export interface WantedInstallation {
  /** The application's namespace. */
  readonly namespace: string;
  /** The value of `spark.kindling.installation`. */
  readonly named: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Finds the installation of Kindling that serves a namespace; `undefined` if there is none, or if none is wanted. */
export type FindInstallation = (client: KubeClient, wanted: WantedInstallation) => Promise<Installation | undefined>;

/**
 * Looks in the namespace that the configuration names. Otherwise looks in the application's namespace, then in `kindling`.
 * The installation in `kindling` may serve only other namespaces. An installation that this user may not read counts as
 * absent.
 *
 * @throws KindlingError `OBJECT_NOT_FOUND` if it is not where the configuration says, `FILE_UNPARSABLE` if its content is
 *   invalid, or an error that says why the API server does not answer
 */
export const findInstallation: FindInstallation = async (client, { namespace, named, signal }) => {
  if (named === NO_INSTALLATION) return undefined;
  if (named !== undefined) return (await installationIn(named, client, signal)) ?? missing(named);
  if (namespace === USUAL_NAMESPACE) return installationIn(namespace, client, signal);
  // Both at once: most clusters are too far away to wait for two answers one after the other.
  const other = linkedAbort(signal);
  const usualLook = installationIn(USUAL_NAMESPACE, client, other.signal);
  usualLook.catch(() => {});
  try {
    const own = await installationIn(namespace, client, signal);
    if (own !== undefined) return own;
    const usual = await usualLook;
    return usual?.namespaces?.includes(namespace) === false ? undefined : usual;
  } catch (error) {
    other.abort();
    throw error;
  } finally {
    other.release();
  }
};

/** The notice about the installation. */
export function installationNotice({ namespace, version }: Installation): string {
  return `installation: kindling${version === undefined ? "" : ` ${version}`} in namespace ${namespace}`;
}

async function installationIn(
  namespace: string,
  client: KubeClient,
  signal: AbortSignal | undefined,
): Promise<Installation | undefined> {
  try {
    const { metadata, data } = await client.get(resources.configmaps, CONFIG_MAP, { namespace, signal });
    if (metadata?.labels?.[PART_OF] !== CONFIG_MAP) return undefined;
    return parseInstallation(namespace, data ?? {});
  } catch (error) {
    if (isKubeError(error) && error.kind === "status" && (error.status === 404 || error.status === 403))
      return undefined;
    throw clusterError(error);
  }
}

function missing(namespace: string): never {
  throw new KindlingError(
    "OBJECT_NOT_FOUND",
    `${INSTALLATION.key}=${namespace}: there is no installation of Kindling in that namespace, or you may not see it`,
    {
      hint: `kubectl -n ${namespace} get configmap ${CONFIG_MAP}; correct the namespace, or install the Helm chart there`,
    },
  );
}
