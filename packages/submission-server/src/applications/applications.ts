import { type RecordIdentity, startCache } from "@kindling/controller";
import { type KubeClient, type KubeError, resources } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import { type ApplicationRecord, isSame, recordOf } from "./application-record.ts";
import type { ChangeLog } from "./change-log.ts";

export interface ApplicationsOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  /** One watch for each; an empty list means one watch for all namespaces. */
  readonly namespaces: readonly string[];
  /** Receives the changes of applications. */
  readonly changes: ChangeLog;
  /** Told of each fault, and whether it is a repeated refusal. The watch goes on by itself. */
  readonly onError: (error: KubeError, namespace: string | undefined, isRefusedAgain: boolean) => void;
}

/** The applications in the cluster, as far as watches have reported them. */
export interface Applications {
  all(): Iterable<ApplicationRecord>;
  /** The application with this driver pod, submission id or application id. */
  find(namespace: string, name: string): ApplicationRecord | undefined;
  /** Resolves when every watch has received its first list. */
  readonly synced: Promise<void>;
  readonly isSynced: boolean;
  /** Whether the data of the watches is current. */
  readonly isCurrent: boolean;
  stop(): Promise<void>;
}

/** An application by its driver pod. */
interface Driver extends RecordIdentity {
  readonly application: ApplicationRecord;
}

const DRIVERS = "spark-role=driver";

/** Starts to watch the drivers of applications. */
export function watchApplications(options: ApplicationsOptions): Applications {
  const { client, namespaces, changes, onError, clock, random } = options;
  const drivers = startCache(client, resources.pods, {
    ...{ namespaces, labelSelector: DRIVERS, clock, random, onError },
    // Whole pods are in memory only for one page or one event at a time.
    keep(pod): Driver {
      const { resourceVersion = "" } = pod.metadata ?? {};
      const application = recordOf(pod);
      const { namespace, driverPod: name, driverPodUid: uid } = application;
      return { namespace, name, uid, resourceVersion, application };
    },
    identityOf: (driver) => driver,
    indexes: { otherNames: ({ application }) => otherNames(application) },
  });
  drivers.subscribe({
    changed(change) {
      if (change.type === "deleted") changes.add("gone", change.previous.application);
      else if (change.type === "added" || !isSame(change.previous.application, change.record.application))
        changes.add("changed", change.record.application);
    },
  });
  return {
    *all() {
      for (const { application } of drivers.values()) yield application;
    },
    find(namespace, name) {
      const key = `${namespace}/${name}`;
      const [other] = drivers.byIndex("otherNames", key);
      return (drivers.get(key) ?? other)?.application;
    },
    synced: drivers.synced,
    get isSynced() {
      return drivers.isSynced;
    },
    get isCurrent() {
      return drivers.isCurrent();
    },
    stop: () => drivers.stop(),
  };
}

/** The names of an application besides its driver pod. */
function otherNames({ namespace, submissionId, applicationId }: ApplicationRecord): readonly string[] {
  return [submissionId, applicationId].flatMap((name) => (name === undefined ? [] : [`${namespace}/${name}`]));
}
