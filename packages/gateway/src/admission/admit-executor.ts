import type { KubeObject } from "@kindling/kube-objects";
import { setOfExecutor } from "../spark/set-marks.ts";
import type { Application } from "../views/applications/application.ts";
import type { Entry } from "../views/entry.ts";

export interface AdmitOptions {
  /** The executor as it is created, from what the driver has asked for. Executors of sets are created as their set says. */
  readonly prepare: (asked: KubeObject) => KubeObject;
  /** Creates an executor that was admitted. */
  readonly make: (application: Application, entry: Entry) => void;
  /** Scales the sets of an application after more of its executors were admitted. */
  readonly scale: (application: Application) => void;
}

/**
 * Admits a waiting executor of an application.
 *
 * @returns false if it does not wait any more
 */
export function admitExecutor(application: Application, name: string, { prepare, make, scale }: AdmitOptions): boolean {
  const mark = setOfExecutor(name);
  if (mark !== undefined) {
    application.sets.get(mark)?.admit();
    scale(application);
    return true;
  }
  const entry = application.executor(name);
  if (entry?.state.kind !== "waiting") return false;
  application.admit(entry, prepare(entry.state.request));
  make(application, entry);
  return true;
}
