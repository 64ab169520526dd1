import { type RecordIdentity, startCache } from "@kindling/controller";
import { type KubeClient, type KubeError, resources } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import { type ApplicationRecord, isSame, recordOf } from "./application-record.ts";
import type { ChangeLog } from "./change-log.ts";

export interface ApplicationsOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  /** One watch for each; none is one for all namespaces. */
  readonly namespaces: readonly string[];
  /** Takes what happens to applications. */
  readonly changes: ChangeLog;
  /** Told of each fault; the watch goes on by itself. */
  readonly onError: (error: KubeError, namespace: string | undefined) => void;
}

/** The applications that the cluster has, as far as watches have told. */
export interface Applications {
  all(): Iterable<ApplicationRecord>;
  /** The application of this driver pod, submission id or application id. */
  find(namespace: string, name: string): ApplicationRecord | undefined;
  /** Resolves when every watch has listed what is there. */
  readonly synced: Promise<void>;
  readonly isSynced: boolean;
  /** Whether what the watches have told is current. */
  readonly isCurrent: boolean;
  stop(): Promise<void>;
}

/** An application by its driver pod. */
interface Driver extends RecordIdentity {
  readonly application: ApplicationRecord;
}

const DRIVERS = "spark-role=driver";

/** Begins to watch the drivers of applications. */
export function watchApplications(options: ApplicationsOptions): Applications {
  const { client, namespaces, changes, onError, clock, random } = options;
  const drivers = startCache(client, resources.pods, {
    ...{ namespaces, labelSelector: DRIVERS, clock, random, onError },
    // A page or an event at a time is in memory as a whole, and no pod longer than that.
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

/** What an application is called beside its driver pod. */
function otherNames({ namespace, submissionId, applicationId }: ApplicationRecord): readonly string[] {
  return [submissionId, applicationId].flatMap((name) => (name === undefined ? [] : [`${namespace}/${name}`]));
}
