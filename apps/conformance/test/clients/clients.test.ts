import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DevCluster } from "@kindling/devcluster";
import { type ScratchFolder, scratchFolder } from "@kindling/test-kit/scratch-folder";
import { describe, expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);
const helm = process.env["KINDLING_HELM"] ?? "";
const go = process.env["KINDLING_GO"] ?? "";

/** A cluster for one test, and its administrator's kubeconfig in a folder that is deleted with the test. */
async function cluster(): Promise<{ folder: ScratchFolder; kubeconfig: string }> {
  const started = await DevCluster.start({ tls: true, authorization: "rbac" });
  onTestFinished(() => started.stop());
  const folder = scratchFolder();
  return { folder, kubeconfig: folder.write("kubeconfig", started.kubeconfig()) };
}

const SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {colour: {{ .Values.colour }}}\n";
const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: "example/web:1", ports: [{containerPort: 80}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
`;
const DEFINITION = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gears.helm.example}
spec:
  group: helm.example
  scope: Namespaced
  names: {plural: gears, kind: Gear}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, required: [metadata], properties: {metadata: {type: object}, spec: {type: object}}}}}
`;
const GEAR = "apiVersion: helm.example/v1\nkind: Gear\nmetadata: {name: one}\nspec: {}\n";

describe.skipIf(helm === "")(`helm${helm === "" ? ", not run: KINDLING_HELM names no helm 3" : ""}`, () => {
  test(
    "installs a chart with its definitions, waits for it, upgrades and uninstalls it",
    { timeout: 300_000 },
    async () => {
      const { folder, kubeconfig } = await cluster();
      const chart = join(folder.path, "chart");
      folder.write("chart/Chart.yaml", "apiVersion: v2\nname: chart\nversion: 1.0.0\n");
      folder.write("chart/values.yaml", "colour: blue\n");
      folder.write("chart/crds/gears.yaml", DEFINITION);
      for (const [name, text] of Object.entries({ settings: SETTINGS, web: DEPLOYMENT, gear: GEAR }))
        folder.write(`chart/templates/${name}.yaml`, text);
      const call = async (...args: string[]): Promise<string> => {
        const env = { ...process.env, KUBECONFIG: kubeconfig, HOME: folder.path };
        return (await run(helm, args, { env, timeout: 120_000 })).stdout;
      };
      expect(await call("install", "mine", chart, "--wait", "--timeout", "90s")).toContain("STATUS: deployed");
      expect(await call("upgrade", "mine", chart, "--set", "colour=green", "--wait")).toContain("REVISION: 2");
      expect(await call("get", "manifest", "mine")).toContain("colour: green");
      expect(await call("list")).toMatch(/mine\s+default\s+2/);
      expect(await call("uninstall", "mine", "--wait")).toContain('release "mine" uninstalled');
      await expect(call("install", "bad", chart, "--set", "colour=[1]")).rejects.toThrow(/colour|data/);
    },
  );
});

describe.skipIf(go === "")(`controller-runtime${go === "" ? ", not run: KINDLING_GO names no go 1.24" : ""}`, () => {
  test("writes built-in kinds in protobuf, and watches them", { timeout: 900_000 }, async () => {
    const source = fileURLToPath(new URL("controller-runtime", import.meta.url));
    const { folder, kubeconfig } = await cluster();
    const program = process.env["KINDLING_CONTROLLER_RUNTIME_CLIENT"] ?? join(folder.path, "client");
    if (!existsSync(program)) await run(go, ["build", "-o", program, "."], { cwd: source, timeout: 800_000 });
    const { stdout } = await run(program, [kubeconfig], { timeout: 90_000 });
    expect(stdout).toBe("b [0 1] 30 seen\n");
  });
});
