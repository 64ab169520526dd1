import { formatTime, type KubeObject } from "@kindling/kube-objects";
import type { Outside } from "@kindling/outside";
import type { Applications } from "../applications/applications.ts";
import type { Application } from "../applications/application.ts";
import type { ExecutorSet } from "../applications/executor-set.ts";
import { staying } from "../applications/executor-sets.ts";
import { virtualPod, waitingFor } from "../virtual-pod.ts";
import { SET } from "../../spark/marks.ts";
import { unsaved } from "../unsaved.ts";

/**
 * Of one application, if it has memory for them: a driver may ask for many with one request, and lists them again and again.
 * The numbers tell of the rest.
 */
const MOST_SHOWN = 32;

const NOT_ADMITTED = "the gateway has not admitted this executor yet";
const NOT_MADE = "it is admitted, and the controller of its set has not made it yet";

interface Shown {
  readonly set: ExecutorSet;
  readonly isAdmitted: boolean;
}

/** What is shown of one application's sets. */
interface Display {
  /** By the names of the pods, with the words that stand in them. */
  readonly shown: Map<string, string>;
  words: string;
  isDue: boolean;
}

/**
 * Shows executors of sets that are not in the cluster to their driver, Pending, with what they wait for. No other request
 * of the driver has to do with them: they come and go with what it asks of the set. Spark passes them over, because they
 * have no executor's id yet (ExecutorPodsSnapshot).
 */
export class PendingPods {
  readonly #outside: Pick<Outside, "clock" | "random">;
  readonly #displays = new WeakMap<Application, Display>();

  constructor(applications: Pick<Applications, "subscribe">, outside: Pick<Outside, "clock" | "random">) {
    this.#outside = outside;
    applications.subscribe({ setsChanged: (application) => this.look(application) });
  }

  /** Something of an application's sets has changed: once for all that comes in one turn of the event loop. */
  look(application: Application): void {
    const display = this.#displayOf(application);
    if (display.isDue) return;
    display.isDue = true;
    setImmediate(() => {
      display.isDue = false;
      if (!application.isOver) this.#show(application, display);
    });
  }

  /** Why the executors of an application wait. */
  tell(application: Application, words: string): void {
    if (application.sets.waiting === 0) return;
    const display = this.#displayOf(application);
    if (display.words === words) return;
    display.words = words;
    this.look(application);
  }

  #displayOf(application: Application): Display {
    const known = this.#displays.get(application) ?? { shown: new Map(), words: NOT_ADMITTED, isDue: false };
    this.#displays.set(application, known);
    return known;
  }

  #show(application: Application, { shown, words }: Display): void {
    const { pods, memory } = application;
    const wanted = missingOf(application);
    for (const name of shown.keys()) {
      if (wanted.has(name) && pods.get(name) === undefined) continue;
      shown.delete(name);
      pods.hide(name);
    }
    for (const [name, { set, isAdmitted }] of wanted) {
      const text = isAdmitted ? NOT_MADE : words;
      if (shown.get(name) === text) continue;
      const before = shown.has(name) ? pods.shown(name)?.object : undefined;
      const pod = before ?? this.#podOf(set, name);
      if (before === undefined && !memory.hasRoomFor(JSON.stringify(pod).length)) continue;
      pods.show(waitingFor(pod, isAdmitted ? "AwaitingCluster" : "AwaitingAdmission", text));
      shown.set(name, text);
    }
  }

  #podOf({ pod, namespace, uid, kind, name: setName }: ExecutorSet, name: string): KubeObject {
    const { clock, random } = this.#outside;
    const now = clock.now();
    const { annotations, ...own } = unsaved(pod.metadata);
    // By this mark pods of the cluster are counted.
    const { [SET]: _mark, ...others } = annotations ?? {};
    const controller = kind === "deployments" ? "Deployment" : "StatefulSet";
    const owner = { apiVersion: "apps/v1", kind: controller, name: setName, uid, controller: true };
    const metadata = {
      ...own,
      ...{ name, namespace, annotations: others, ownerReferences: [owner] },
      ...{ uid: random.uuid(), resourceVersion: "", creationTimestamp: formatTime(now) },
    };
    return virtualPod({ ...pod, metadata }, now);
  }
}

/** The executors that are not there, by the names that pods of a StatefulSet have. */
function missingOf({ sets, pods }: Application): Map<string, Shown> {
  const missing = new Map<string, Shown>();
  if (sets.size === 0) return missing;
  const there = staying([...pods.entries()].flatMap((entry) => pods.current(entry) ?? []));
  for (const set of sets.all()) {
    let admitted = Math.max(0, set.admitted - (there.get(set.mark) ?? 0));
    let count = Math.max(0, set.wanted - (there.get(set.mark) ?? 0));
    for (let ordinal = 0; count > 0 && missing.size < MOST_SHOWN; ordinal++) {
      const name = `${set.name}-${ordinal}`;
      if (pods.get(name) !== undefined || missing.has(name)) continue;
      missing.set(name, { set, isAdmitted: admitted > 0 });
      admitted -= 1;
      count -= 1;
    }
  }
  return missing;
}
