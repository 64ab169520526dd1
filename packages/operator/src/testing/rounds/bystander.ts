import { type KubeClient, type KubeObjectLike, type ResourceType, resources, startReflector } from "@kindling/kube";
import { customResources } from "@kindling/spark-application";
import { SeenNamespace } from "./seen-namespace.ts";

/** Watches everything that applications make, and misses nothing. One application for each namespace. */
export interface Bystander {
  seen(namespace: string): SeenNamespace;
  /** Forgets a namespace that is empty now. */
  forget(namespace: string): void;
  /** Resolves with the result of `look`, as soon as it returns something. */
  until<T>(look: () => T | undefined): Promise<T>;
  stop(): Promise<void>;
}

export async function startBystander(client: KubeClient): Promise<Bystander> {
  const namespaces = new Map<string, SeenNamespace>();
  const waiting = new Set<() => void>();
  const told = (): void => {
    for (const look of waiting) look();
  };

  function seen(namespace: string): SeenNamespace {
    const known = namespaces.get(namespace) ?? new SeenNamespace();
    namespaces.set(namespace, known);
    return known;
  }

  function follow<T extends KubeObjectLike>(
    type: ResourceType<T>,
    see: (namespace: SeenNamespace, object: T, isGone: boolean) => void,
  ) {
    const seeIn = (object: T, isGone: boolean): void => see(seen(object.metadata?.namespace ?? ""), object, isGone);
    return startReflector(client, type, {
      allNamespaces: true,
      sink: {
        replace(objects) {
          for (const object of objects) seeIn(object, false);
          told();
        },
        apply(event) {
          if (event.type === "BOOKMARK") return;
          seeIn(event.object, event.type === "DELETED");
          told();
        },
      },
    });
  }

  const reflectors = [
    follow(customResources.sparkApplications, (namespace, application, isGone) =>
      namespace.seeApplication(application, isGone),
    ),
    follow(resources.events, (namespace, event, isGone) => namespace.seeEvent(event, isGone)),
    ...[resources.pods, resources.services, resources.configmaps].map((type: ResourceType) =>
      follow(type, (namespace, object, isGone) => namespace.seeObject(object, isGone)),
    ),
  ];
  await Promise.all(reflectors.map(({ synced }) => synced));
  return {
    seen,
    forget: (namespace) => void namespaces.delete(namespace),
    until: (look) =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = look();
          if (found === undefined) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
    async stop() {
      await Promise.all(reflectors.map((reflector) => reflector.stop()));
    },
  };
}
