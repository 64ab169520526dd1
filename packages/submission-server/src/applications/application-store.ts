import type { ChangeLog } from "./change-log.ts";
import { type ApplicationRecord, isSame } from "./application-record.ts";

/** The applications that the cluster has, as far as watches have told. One that is gone is dropped. */
export class ApplicationStore {
  readonly #changes: ChangeLog;
  readonly #byId = new Map<string, ApplicationRecord>();

  constructor(changes: ChangeLog) {
    this.#changes = changes;
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): ApplicationRecord | undefined {
    return this.#byId.get(id);
  }

  all(): IterableIterator<ApplicationRecord> {
    return this.#byId.values();
  }

  /** The application of this submission id or application id. */
  find(namespace: string, name: string): ApplicationRecord | undefined {
    for (const record of this.#byId.values()) {
      if (record.namespace !== namespace) continue;
      if (record.submissionId === name || record.applicationId === name) return record;
    }
    return undefined;
  }

  put(record: ApplicationRecord): void {
    const before = this.#byId.get(record.id);
    this.#byId.set(record.id, record);
    if (before === undefined || !isSame(before, record)) this.#changes.add("changed", record);
  }

  /** Drops an application; but not one that has taken its name since. */
  drop(record: ApplicationRecord): void {
    const known = this.#byId.get(record.id);
    if (known === undefined || known.driverPodUid !== record.driverPodUid) return;
    this.#byId.delete(record.id);
    this.#changes.add("gone", known);
  }

  /**
   * Takes over a whole list.
   *
   * @param isListed which applications the list would have, if they were there
   */
  replace(records: readonly ApplicationRecord[], isListed: (record: ApplicationRecord) => boolean): void {
    const there = new Set(records.map(({ id }) => id));
    for (const record of this.#byId.values()) if (isListed(record) && !there.has(record.id)) this.drop(record);
    for (const record of records) this.put(record);
  }
}
