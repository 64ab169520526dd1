// What a client sees of applications: when each got its driver pod, and when it reached a state.
import {
  type KubeClient,
  type KubeObjectLike,
  type ReflectorSink,
  type ResourceType,
  resources,
  startReflector,
} from "@kindling/kube";
import { systemClock as clock } from "@kindling/outside";
import { type ApplicationState, customResources } from "@kindling/spark-application";

interface SeenApplication extends KubeObjectLike {
  readonly status?: { readonly applicationState?: { readonly state?: string } };
}

interface NamedState {
  readonly name: string | undefined;
  readonly state: string | undefined;
}

const APPLICATIONS: ResourceType<SeenApplication> = customResources.sparkApplications;

/** All times are milliseconds of the same clock. */
export interface Observer {
  driverAt(name: string): number | undefined;
  stateAt(name: string, state: ApplicationState): number | undefined;
  /** Resolves when a condition on applications and drivers holds. */
  until(condition: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

/** Watches a namespace until it is stopped. */
export async function observe(client: KubeClient, namespace: string): Promise<Observer> {
  const drivers = new Map<string, number>();
  const states = new Map<string, number>();
  const waiting = new Set<() => void>();
  const note = (map: Map<string, number>, key: string): void => {
    if (map.has(key)) return;
    map.set(key, clock.monotonic());
    for (const check of waiting) check();
  };
  const noteState = ({ name, state }: NamedState): void => {
    if (state !== undefined && state !== "") note(states, `${name} ${state}`);
  };
  const reflectors = [
    startReflector(client, resources.pods, {
      namespace,
      labelSelector: "spark-role=driver",
      keep: ({ metadata }) => metadata?.labels?.["sparkoperator.k8s.io/app-name"] ?? "",
      sink: sinkOf((name: string) => note(drivers, name)),
    }),
    startReflector(client, APPLICATIONS, {
      namespace,
      keep: ({ metadata, status }) => ({ name: metadata?.name, state: status?.applicationState?.state }),
      sink: sinkOf(noteState),
    }),
  ];
  await Promise.all(reflectors.map(({ synced }) => synced));
  return {
    driverAt: (name) => drivers.get(name),
    stateAt: (name, state) => states.get(`${name} ${state}`),
    until(condition) {
      return new Promise((resolve) => {
        const check = (): void => {
          if (!condition()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      });
    },
    async stop() {
      await Promise.all(reflectors.map((reflector) => reflector.stop()));
    },
  };
}

/** Looks at each object that exists, is created or changes. */
function sinkOf<T>(see: (record: T) => void): ReflectorSink<T> {
  return {
    replace: (records) => records.forEach(see),
    apply(event) {
      if (event.type === "ADDED" || event.type === "MODIFIED") see(event.object);
    },
  };
}
