import { resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RESTRICTED_CONTAINER, RESTRICTED_POD } from "../clusters/restricted.ts";
import { IS_INSTALLED } from "../clusters/services.ts";
import { eventually, TestNamespace } from "../clusters/test-cluster.ts";
import { IMAGE_TAG } from "../stack/installed.ts";
import { STACK } from "../stack/stack.ts";

describe.skipIf(!IS_INSTALLED)("images on a node", () => {
  let namespace: TestNamespace;

  beforeAll(async () => {
    namespace = await TestNamespace.create("images");
    // The strictest level that Kubernetes has.
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    await namespace.client.apply(
      resources.namespaces,
      { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace.name, labels } },
      { fieldManager: "kindling-e2e" },
    );
  });
  afterAll(async () => {
    await namespace.remove();
  });

  /** Runs a container to its end, without rights and without anything writable. */
  async function run(name: string, image: string, container: object): Promise<{ exit?: number; reason?: string }> {
    await namespace.client.create(resources.pods, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name },
      spec: {
        restartPolicy: "Never",
        automountServiceAccountToken: false,
        securityContext: RESTRICTED_POD,
        containers: [
          {
            name: "main",
            image: `kindling/${image}:${IMAGE_TAG}`,
            imagePullPolicy: "Never",
            securityContext: { ...RESTRICTED_CONTAINER, readOnlyRootFilesystem: true },
            ...container,
          },
        ],
      },
    } as Parameters<typeof namespace.client.create>[1]);
    return await eventually(`the end of ${name}`, async () => {
      const { status } = await namespace.client.get(resources.pods, name);
      const { terminated } = status?.containerStatuses?.[0]?.state ?? {};
      return terminated && { exit: terminated.exitCode, reason: terminated.reason ?? "" };
    });
  }

  test.each(STACK.images)("%s runs as nobody, with a root file system that cannot be written", async (image) => {
    const ended = await run(image, image, { args: ["--help"] });
    const log = [];
    for await (const line of (await namespace.client.logs(image)).lines()) log.push(line);
    expect(ended, log.join("\n")).toEqual({ exit: 0, reason: "Completed" });
    expect(log.join("\n")).toContain("Usage: ");
  });

  test("has no shell", async () => {
    expect(await run("shell", "localizer", { command: ["/bin/sh", "-c", "true"] })).toMatchObject({
      reason: "StartError",
    });
  });
});
