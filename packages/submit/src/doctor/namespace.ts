import { type KubeObjectLike, resources, type KubeClient } from "@kindling/kube";
import { POD_SECURITY_LABEL } from "@kindling/steps";
import { ifVisible, ok, problem, warning, type Found } from "./finding.ts";

/** Whether the namespace exists, and which level of the Pod Security Standards it enforces. */
export async function namespaceFound(
  client: KubeClient,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Found> {
  return await ifVisible(async () => {
    const { metadata, status } = await client.get(resources.namespaces, name, { signal });
    if (status?.phase === "Terminating")
      return problem(`namespace ${name} is being deleted`, "name another one with -n");
    const level = metadata?.labels?.[POD_SECURITY_LABEL];
    if (level === undefined) return ok(name);
    return ok(`${name}, pod security ${level}${level === "restricted" ? ": pods are made to meet it" : ""}`);
  });
}

type Quota = KubeObjectLike & {
  readonly status?: {
    readonly hard?: Readonly<Record<string, string>>;
    readonly used?: Readonly<Record<string, string>>;
  };
};

/** Whether a quota of the namespace is used up. */
export async function quotasFound(
  client: KubeClient,
  namespace: string,
  signal: AbortSignal | undefined,
): Promise<Found> {
  return await ifVisible(async () => {
    const type = await client.resourceFor("v1", "ResourceQuota", { signal });
    const { items } = await client.listAll<Quota>(type, { namespace, signal });
    const usedUp = items.flatMap(({ metadata, status }) =>
      Object.entries(status?.hard ?? {}).flatMap(([resource, hard]) => {
        const used = status?.used?.[resource];
        return used !== undefined && used === hard ? [`${resource} of quota ${metadata?.name ?? ""} (${hard})`] : [];
      }),
    );
    if (usedUp.length > 0) {
      return warning(
        `used up: ${usedUp.join(", ")}`,
        `applications wait until something ends, or are refused: kindling list -n ${namespace}, kubectl -n ${namespace} describe quota`,
      );
    }
    return ok(items.length === 0 ? `none in namespace ${namespace}` : `there is room in ${items.length}`);
  });
}
