import { at, type CaseContext, itemsOf } from "@kindling/test-kit/case-context";
import type { JsonObject } from "@kindling/test-kit/json";

/** An image that does nothing and is already on the node; the embedded cluster needs none. */
export async function idleImage(t: CaseContext): Promise<string> {
  return await imageLike(t, /\/pause:/, "registry.k8s.io/pause:3.10");
}

/** An image with a shell that is already on the node; the embedded cluster needs none. */
export async function shellImage(t: CaseContext): Promise<string> {
  return await imageLike(t, /\/(busybox|alpine|debian|spark):/, "docker.io/library/busybox:1.37");
}

async function imageLike({ client }: CaseContext, pattern: RegExp, otherwise: string): Promise<string> {
  for (const node of itemsOf(await client.get("/api/v1/nodes"))) {
    const images = (at(node, "status.images") ?? []) as { names?: string[] | null }[];
    const found = images.flatMap(({ names }) => names ?? []).find((name) => pattern.test(name));
    if (found !== undefined) return found;
  }
  return otherwise;
}

/** Creates a pod that runs until it is ended; `container` in its spec contains members of its only container. */
export async function start(t: CaseContext, name: string, spec: JsonObject = {}): Promise<void> {
  const image = await idleImage(t);
  await t.create(t.path("pods"), {
    metadata: { name, labels: { app: name } },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [{ name: "main", image, imagePullPolicy: "IfNotPresent", ...((spec["container"] ?? {}) as object) }],
      ...spec,
      container: undefined,
    },
  });
}

/** Waits until a pod is in a phase, and returns its state at that time. */
export async function untilPhase(t: CaseContext, name: string, phase: string): Promise<JsonObject> {
  const { body } = await t.until(
    async () => await t.client.get(t.path("pods", name)),
    (answer) => at(answer.body, "status.phase") === phase,
    `the pod to be ${phase}`,
  );
  return body;
}
