import { createRecordStore, recordKey, type RecordStore } from "./record-store.ts";
import { scheduleKeyOf, type ObjectRecord } from "./application-record.ts";
import type { PodRecord } from "../pods/pod-record.ts";

/** What the watches have told of applications and their pods. */
export interface ApplicationStores {
  /** Runs of a schedule are grouped by its key. */
  readonly applications: RecordStore<ObjectRecord>;
  /** Grouped by the key of their application. */
  readonly pods: RecordStore<PodRecord>;
}

export interface ApplicationListener {
  /** Told of the key of each application of which something has changed. */
  readonly onChange: (key: string) => void;
  /** Told of the key of a schedule of which a run has changed. */
  readonly onRunChange: (scheduleKey: string) => void;
  /** Told of each change of a pod. */
  readonly onPodChange: (before: PodRecord | undefined, after: PodRecord | undefined) => void;
  /** Told of applications that are there no more. */
  readonly onGone: (uid: string) => void;
}

export function createApplicationStores({
  onChange,
  onRunChange,
  onPodChange,
  onGone,
}: ApplicationListener): ApplicationStores {
  const applicationOf = ({ namespace, applicationName }: PodRecord): string =>
    recordKey({ namespace, name: applicationName });
  return {
    applications: createRecordStore<ObjectRecord>({
      groupOf: (record) => scheduleKeyOf(record) ?? recordKey(record),
      onChange(before, after) {
        const record = after ?? before;
        if (record === undefined) return;
        onChange(recordKey(record));
        const scheduleKey = scheduleKeyOf(record);
        if (scheduleKey !== undefined) onRunChange(scheduleKey);
        if (before !== undefined && before.uid !== after?.uid) onGone(before.uid);
      },
    }),
    pods: createRecordStore<PodRecord>({
      groupOf: applicationOf,
      onChange(before, after) {
        onPodChange(before, after);
        for (const key of new Set([before, after].flatMap((pod) => (pod === undefined ? [] : applicationOf(pod)))))
          onChange(key);
      },
    }),
  };
}
