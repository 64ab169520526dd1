import { compareResourceVersions } from "@kindling/kube";

/** What every record says of its object. */
export interface KeptRecord {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

export interface RecordStore<R extends KeptRecord> {
  get(key: string): R | undefined;
  all(): Iterable<R>;
  /** The records of one group, by the function that the store was made with. */
  inGroup(group: string): readonly R[];
  /** Takes a record, unless the store has a newer one: an own write may be known before the watch tells of it. */
  put(record: R): void;
  drop(record: R): void;
  /** What a list says of the objects that it is about. */
  replace(records: readonly R[], isListed: (record: R) => boolean): void;
  readonly size: number;
}

export interface RecordStoreOptions<R extends KeptRecord> {
  readonly groupOf?: (record: R) => string;
  /** Told of each change; a deletion has no `after`. */
  readonly onChange: (before: R | undefined, after: R | undefined) => void;
}

/** `namespace/name` */
export function recordKey({ namespace, name }: Pick<KeptRecord, "namespace" | "name">): string {
  return `${namespace}/${name}`;
}

/** Records of a kind of objects, as the newest version that was seen of each. */
export function createRecordStore<R extends KeptRecord>(options: RecordStoreOptions<R>): RecordStore<R> {
  const { groupOf = recordKey, onChange } = options;
  const records = new Map<string, R>();
  const groups = new Map<string, Set<string>>();

  function set(key: string, record: R): void {
    const before = records.get(key);
    if (before !== undefined) leaveGroup(key, groupOf(before));
    records.set(key, record);
    const group = groupOf(record);
    const keys = groups.get(group) ?? new Set();
    groups.set(group, keys.add(key));
    onChange(before, record);
  }

  function remove(key: string, record: R): void {
    records.delete(key);
    leaveGroup(key, groupOf(record));
    onChange(record, undefined);
  }

  function leaveGroup(key: string, group: string): void {
    const keys = groups.get(group);
    keys?.delete(key);
    if (keys?.size === 0) groups.delete(group);
  }

  return {
    get: (key) => records.get(key),
    all: () => records.values(),
    inGroup: (group) => [...(groups.get(group) ?? [])].flatMap((key) => records.get(key) ?? []),
    put(record) {
      const before = records.get(recordKey(record));
      if (before !== undefined && !isNewer(record, before)) return;
      set(recordKey(record), record);
    },
    drop(record) {
      const before = records.get(recordKey(record));
      // The deletion of an object whose name another has taken since is no news.
      if (before !== undefined && (before.uid === record.uid || isNewer(record, before)))
        remove(recordKey(record), before);
    },
    replace(listed, isListed) {
      const kept = new Set(listed.map(recordKey));
      for (const record of listed) {
        const before = records.get(recordKey(record));
        if (before === undefined || before.uid !== record.uid || isNewer(record, before))
          set(recordKey(record), record);
      }
      for (const [key, record] of records) {
        if (isListed(record) && !kept.has(key)) remove(key, record);
      }
    },
    get size() {
      return records.size;
    },
  };
}

function isNewer(record: KeptRecord, than: KeptRecord): boolean {
  return (compareResourceVersions(record.resourceVersion, than.resourceVersion) ?? 1) > 0;
}
