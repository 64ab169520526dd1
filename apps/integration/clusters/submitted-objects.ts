import { resources, type KubeClient, type KubeObjectLike, type ResourceType } from "@kindling/kube";

/** The objects of an application by kind and name, without what differs from submission to submission. */
export type SubmittedObjects = Readonly<Record<string, unknown>>;

const KINDS: readonly ResourceType[] = [resources.pods, resources.services, resources.configmaps, resources.secrets];

/**
 * Reads the objects of the one application in a namespace whose driver has this name of an application. Its id, the prefix of
 * its names, its volumes and its times are replaced by words.
 *
 * @param ours names of objects of the namespace that no submission has made
 */
export async function submittedObjects(
  client: KubeClient,
  { name, ours }: { readonly name: string; readonly ours: ReadonlySet<string> },
): Promise<SubmittedObjects> {
  const { items } = await client.listAll(resources.pods, { labelSelector: "spark-role=driver" });
  const driver = items.find(({ metadata }) => metadata?.name?.startsWith(`${name}-`) === true)?.metadata;
  const prefix = /^(.+)-driver$/.exec(driver?.name ?? "")?.[1] ?? "";
  const id = driver?.labels?.["spark-app-selector"] ?? "";
  const found: Record<string, unknown> = {};
  for (const type of KINDS) {
    const { items: objects } = await client.listAll(type);
    for (const object of objects) {
      const { name: called = "", ownerReferences = [] } = object.metadata ?? {};
      const isOwned = ownerReferences.some(({ uid }) => uid === driver?.uid);
      if (ours.has(called) || !(isOwned || called === driver?.name)) continue;
      found[`${type.kind} ${generalText(called, prefix, id)}`] = general(object, prefix, id);
    }
  }
  return found;
}

function general(object: KubeObjectLike, prefix: string, id: string): unknown {
  const { metadata = {}, ...content } = withSortedProperties(object);
  const { labels, annotations, ownerReferences = [] } = metadata;
  const owners = ownerReferences.map((owner) => ({ ...owner, uid: "UID" }));
  // The API server's own words about a pod.
  const said = { ...content, status: undefined };
  const text = JSON.stringify({ ...said, metadata: { labels, annotations, ownerReferences: owners } });
  return JSON.parse(generalText(text, prefix, id)) as unknown;
}

/**
 * Spark's properties without the order of a hash table, the time at which Java has written them, and Kindling's own keys, which
 * the real spark-submit passes on.
 */
function withSortedProperties(object: KubeObjectLike): KubeObjectLike {
  const { data } = object as { readonly data?: Readonly<Record<string, string>> };
  const text = data?.["spark.properties"];
  if (text === undefined) return object;
  const lines = text.split("\n").filter((line) => !/^(?:#\w{3} \w{3} \d|spark\.kindling\.)/.test(line));
  const sorted = { ...data, "spark.properties": lines.sort().join("\n") };
  return { ...object, ...{ data: sorted } };
}

function generalText(text: string, prefix: string, id: string): string {
  return text
    .replaceAll(prefix, "PREFIX")
    .replaceAll(id, "APPLICATION")
    .replaceAll(/spark-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "spark-UUID")
    .replaceAll(/kube-api-access-\w+/g, "kube-api-access")
    .replaceAll(/spark-drv-[0-9a-f]{16}/g, "spark-drv")
    .replaceAll(/(spark\.app\.submitTime=)\d+/g, "$1TIME");
}
