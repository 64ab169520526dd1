import { formatTime, type KubeObject } from "@kindling/kube-objects";
import type { Outside } from "@kindling/outside";
import type { Applications } from "../applications/applications.ts";
import type { Application } from "../applications/application.ts";
import type { ExecutorSet } from "../applications/executor-set.ts";
import { staying } from "../applications/executor-sets.ts";
import { virtualPod, waitingFor } from "../virtual-pod.ts";
import { SET } from "../../spark/marks.ts";
import { unsaved } from "../../json/unsaved.ts";

/**
 * The highest number of shown pods of one application, if it has memory for them: a driver may ask for many with one request,
 * and lists them again and again. The rest is only counted.
 */
const MOST_SHOWN = 32;

const NOT_ADMITTED = "the gateway has not admitted this executor yet";
const NOT_MADE = "it is admitted, and the controller of its set has not made it yet";

interface Shown {
  readonly set: ExecutorSet;
  readonly isAdmitted: boolean;
}

/** The pods that are shown for one application's sets. */
interface Display {
  /** The shown words, by the names of the pods. */
  readonly shown: Map<string, string>;
  words: string;
  isDue: boolean;
}

/**
 * Shows executors of sets that are not in the cluster yet to their driver, as Pending, with the reason why they wait. The
 * driver cannot change them: they come and go with what it asks of the set. Spark ignores them, because they have no executor
 * id yet (ExecutorPodsSnapshot).
 */
export class PendingPods {
  readonly #outside: Pick<Outside, "clock" | "random">;
  readonly #displays = new WeakMap<Application, Display>();

  constructor(applications: Pick<Applications, "subscribe">, outside: Pick<Outside, "clock" | "random">) {
    this.#outside = outside;
    applications.subscribe({ setsChanged: (application) => this.look(application) });
  }

  /** Something about an application's sets has changed. All changes in one turn of the event loop are shown together. */
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
    // This mark counts pods in the cluster, so it is left out here.
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

/** The missing executors, by the names that pods of a StatefulSet have. */
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
