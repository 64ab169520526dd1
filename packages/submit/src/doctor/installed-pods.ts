import { type KubeObjectLike, resources, type KubeClient } from "@kindling/kube";
import { podState, type ContainerState, type PodState } from "@kindling/diagnosis";
import { ifVisible, look, ok, problem, skipped, type Checkup, type Found } from "./finding.ts";

/** The label that the chart gives to everything of an installation. */
const OF_INSTALLATION = "app.kubernetes.io/part-of=kindling";

/** The pods of an installation, for users who may see them: which ones do not run, and why. */
export async function* installedPods(
  client: KubeClient,
  namespace: string,
  signal: AbortSignal,
): AsyncGenerator<Checkup, void> {
  const found = await look("Kindling's pods", () => ifVisible(() => podsFound(client, namespace, signal)));
  if (found.state !== "skipped") yield found;
}

async function podsFound(client: KubeClient, namespace: string, signal: AbortSignal): Promise<Found> {
  const { items } = await client.listAll(resources.pods, { namespace, labelSelector: OF_INSTALLATION, signal });
  const states = items.map((pod) => podState(pod)).filter(({ phase, deleting }) => phase !== "Succeeded" && !deleting);
  const stuck = states.flatMap((pod) => {
    const why = whyNotRunning(pod);
    return why === undefined ? [] : [{ pod, why }];
  });
  const [first] = stuck;
  if (first === undefined) return states.length === 0 ? skipped("none is seen") : ok(`${states.length} run`);
  const all = stuck.map(({ pod, why }) => `${pod.name}: ${why}`).join("; ");
  return problem(all, (await volumeHint(client, namespace, first.why, signal)) ?? podHint(namespace, first.pod));
}

function podHint(namespace: string, { name }: PodState): string {
  return `kubectl -n ${namespace} describe pod ${name}, and kubectl -n ${namespace} logs ${name}`;
}

function whyNotRunning({ phase, reason, message, initContainers, containers }: PodState): string | undefined {
  const held = [...initContainers, ...containers].find(isHeld);
  if (held?.state === "waiting") return told(held.reason, held.message);
  return phase === "Running" || (phase === "Pending" && reason === undefined)
    ? undefined
    : told(reason ?? phase, message);
}

/** A pod that is still starting is no problem. */
function isHeld(container: ContainerState): boolean {
  return container.state === "waiting" && !/^(?:ContainerCreating|PodInitializing)?$/.test(container.reason ?? "");
}

function told(reason: string | undefined, message: string | undefined): string {
  return message === undefined ? (reason ?? "it does not run") : `${reason ?? "it does not run"}: ${message}`;
}

interface Claim extends KubeObjectLike {
  readonly spec?: { readonly storageClassName?: string };
  readonly status?: { readonly phase?: string };
}

/** What to do about a claim without a volume: usually there is no storage class. */
async function volumeHint(
  client: KubeClient,
  namespace: string,
  why: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!/PersistentVolumeClaim/i.test(why)) return undefined;
  const { items } = await client.listAll<Claim>(resources.persistentvolumeclaims, { namespace, signal });
  const claim = items.find(({ status }) => status?.phase === "Pending");
  if (claim === undefined) return undefined;
  const name = claim.metadata?.name ?? "";
  const wanted = claim.spec?.storageClassName;
  const lacking =
    wanted === undefined || wanted === ""
      ? "the cluster has no default StorageClass"
      : `nothing gives it a volume of StorageClass ${wanted}`;
  return `claim ${name} waits: ${lacking}; name one of kubectl get storageclass as the chart's value staging.storage.volume.storageClass, or set staging.storage.kind to s3, gcs or adls, or, to try things out, emptyDir`;
}
