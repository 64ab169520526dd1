import { looksAtLabels } from "@kindling/admission";
import { createEventRecorder, type EventRecorder, type Undo } from "@kindling/controller";
import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { Namespaces } from "../admission/demand/namespaces.ts";
import type { ClusterRoom } from "../admission/demand/cluster-room.ts";
import type { ClusterWatch } from "../cluster/cluster-watch.ts";
import type { SetWatch } from "../cluster/set-watch.ts";
import type { GatewayConfig } from "../config/gateway-keys.ts";
import { followQueues } from "../config/queues/follow-queues.ts";
import { ONE_QUEUE, type Queues } from "../config/queues/queues-file.ts";
import type { Metrics } from "../console/metrics/metrics.ts";
import { type Authority, followAuthority } from "../controllers/ca-certificates/authority.ts";
import type { OpenTokenRenewer } from "../controllers/token-renewal/open-token-renewer.ts";
import { KueueWatch } from "../admission/kueue/kueue-watch.ts";
import { kueueUseOf } from "../config/kueue-use.ts";
import { EVENT_SOURCE } from "./assemble.ts";
import { watchCluster } from "./watch-cluster.ts";
import { watchSets } from "./watch-sets.ts";
import { watchClusterRoom } from "./watch-cluster-room.ts";

export interface StandbyOptions extends Pick<Outside, "clock" | "random"> {
  readonly config: GatewayConfig;
  readonly client: KubeClient;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Called after something has changed that decisions may depend on. */
  readonly onChange: () => void;
  /** Called when the certificates for drivers have changed. */
  readonly onAuthority: () => void;
}

/** What every replica follows, so that it has all data at once when it becomes the leader. */
export interface Standby {
  readonly events: EventRecorder;
  readonly queues: Queues;
  readonly namespaces: Namespaces;
  readonly authority: Authority;
  readonly cluster: ClusterWatch;
  readonly setWatch: SetWatch;
  readonly clusterRoom: ClusterRoom;
  /** Undefined if applications cannot wait in LocalQueues of Kueue. */
  readonly kueue: KueueWatch | undefined;
  /** Undefined if the gateway has no keytab. */
  readonly tokenRenewer: OpenTokenRenewer | undefined;
}

/** @throws KindlingError if a file that the configuration names cannot be used */
export async function startStandby(options: StandbyOptions): Promise<Standby> {
  const { config, client, clock, random, metrics, log, onChange, onAuthority } = options;
  let queues = ONE_QUEUE;
  let clusterRoom: ClusterRoom | undefined;
  const namespaces = new Namespaces({
    ...{ client, clock, random, log, onChange },
    isNeeded: () => looksAtLabels(queues.root),
  });
  const events = createEventRecorder({ client, clock, random, log, component: EVENT_SOURCE });
  queues = await followQueues(config, {
    ...{ client, clock, events, log },
    onChange() {
      namespaces.look();
      clusterRoom?.look();
      onChange();
    },
    onReload: (outcome) => metrics.queueReloads.inc({ outcome }),
    onRefused: (isRefused) => metrics.queuesRefused.set(Number(isRefused)),
  });
  namespaces.look();
  const authority = await followAuthority(config, { clock, log, onChange: onAuthority });
  const tokenRenewer = await openRenewer(options);
  clusterRoom = watchClusterRoom({ config, client, clock, random, log, queues, onChange });
  return {
    ...{ events, queues, namespaces, authority },
    cluster: watchCluster({ config, client, clock, random, metrics, log }),
    setWatch: watchSets({ config, client, clock, random, metrics, log, onChange }),
    clusterRoom,
    kueue: watchKueue(options),
    tokenRenewer,
  };
}

/** Loaded only here: few clusters have Kerberos. */
async function openRenewer({ config, clock, random, log }: StandbyOptions): Promise<OpenTokenRenewer | undefined> {
  if (config["kerberos.keytab"] === undefined) return undefined;
  const { openTokenRenewer } = await import("../controllers/token-renewal/open-token-renewer.ts");
  return openTokenRenewer(config, { clock, random, log });
}

function watchKueue({ config, client, clock, random, log }: StandbyOptions): KueueWatch | undefined {
  if (kueueUseOf(config) === "none") return undefined;
  return new KueueWatch({ client, clock, random, log, namespaces: config["cluster.namespaces"] });
}

/** Stops all of it when the gateway ends. */
export function undoStandby(undo: Undo, standby: Standby): void {
  const { events, queues, namespaces, authority, cluster, setWatch, clusterRoom, kueue, tokenRenewer } = standby;
  undo.add(() => tokenRenewer?.close());
  undo.add(() => authority.close());
  undo.add(() => events.flush());
  undo.add(() => queues.close());
  undo.add(() => clusterRoom.stop());
  undo.add(async () => await kueue?.stop());
  undo.add(() => namespaces.stop());
  undo.add(() => cluster.stop());
  undo.add(() => setWatch.stop());
}

/** Resolves when the cluster has been listed once. */
export async function synced({ cluster, setWatch, clusterRoom }: Standby): Promise<void> {
  await Promise.all([cluster.synced(), setWatch.synced(), clusterRoom.synced()]);
}
