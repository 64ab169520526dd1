import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LoadOptions } from "../../src/index.ts";
import { kubeconfigHome, type KubeconfigHome } from "../fixtures/kubeconfig-home.ts";

describe("a pod's service account", () => {
  function inPod(): { folder: KubeconfigHome; options: LoadOptions } {
    const folder = kubeconfigHome();
    folder.write("sa/token", "pod-token\n");
    folder.write("sa/ca.crt", "POD CA");
    folder.write("sa/namespace", "spark\n");
    const env = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443", KUBECONFIG: "/dev/null" };
    return { folder, options: { env, serviceAccountDir: join(folder.path, "sa") } };
  }

  test("is used where there is no kubeconfig", async () => {
    const { folder, options } = inPod();
    const access = await folder.load(options);
    expect(access).toMatchObject({
      origin: "in-cluster",
      server: "https://[fd00::1]",
      namespace: "spark",
      tls: { ca: "POD CA", insecureSkipVerify: false },
    });
    expect(await access.credentials.current()).toEqual({ authorization: "Bearer pod-token" });
  });

  test("comes after a kubeconfig", async () => {
    const { folder, options } = inPod();
    expect((await folder.load({ ...options, env: { ...options.env, KUBECONFIG: "" } })).origin).toBe("kubeconfig");
  });

  test("goes along with a given server", async () => {
    const { folder, options } = inPod();
    const access = await folder.load({ ...options, overlays: { server: "https://kubernetes.default.svc/" } });
    expect(access).toMatchObject({ server: "https://kubernetes.default.svc", namespace: "spark" });
    expect(await access.credentials.current()).toEqual({ authorization: "Bearer pod-token" });
  });
});
