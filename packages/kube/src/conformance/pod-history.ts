/** A pod of the fault server: its name and a value that tests change. */
export interface PodState {
  readonly name: string;
  readonly value: string;
  readonly resourceVersion: number;
}

export interface HistoryEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly pod: PodState;
}

/** Pods and what happened to them, with resource versions as an API server counts them. */
export interface PodHistory {
  readonly pods: ReadonlyMap<string, PodState>;
  readonly resourceVersion: number;
  /** Resource versions below this one are forgotten: a watch from there gets 410. */
  readonly oldest: number;
  put(name: string, value: string): HistoryEvent;
  remove(name: string): HistoryEvent;
  since(resourceVersion: number): readonly HistoryEvent[];
  forget(): void;
}

export function createPodHistory(): PodHistory {
  const pods = new Map<string, PodState>();
  let events: HistoryEvent[] = [];
  let resourceVersion = 100;
  let oldest = 100;

  function record(event: HistoryEvent): HistoryEvent {
    events.push(event);
    return event;
  }

  return {
    pods,
    get resourceVersion() {
      return resourceVersion;
    },
    get oldest() {
      return oldest;
    },
    put(name, value) {
      const type = pods.has(name) ? "MODIFIED" : "ADDED";
      const pod = { name, value, resourceVersion: ++resourceVersion };
      pods.set(name, pod);
      return record({ type, pod });
    },
    remove(name) {
      const pod = pods.get(name);
      if (pod === undefined) throw new Error(`there is no pod ${name}`);
      pods.delete(name);
      return record({ type: "DELETED", pod: { ...pod, resourceVersion: ++resourceVersion } });
    },
    since: (version) => events.filter((event) => event.pod.resourceVersion > version),
    forget() {
      // Other objects change all the time on a real server, so its newest version is never the oldest that it knows.
      oldest = ++resourceVersion;
      events = [];
    },
  };
}

/** The pod as the API server would return it. The value is not ASCII on purpose. */
export function podObject(pod: PodState): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: pod.name,
      namespace: "default",
      uid: `uid-of-${pod.name}`,
      resourceVersion: String(pod.resourceVersion),
      annotations: { value: pod.value },
    },
    spec: { containers: [{ name: "main", image: "image" }] },
  };
}
