import { execFile, spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plainManifests } from "../../../tools/references/plain-manifests.mjs";
import { EmbeddedCluster } from "../src/embedded.ts";
import { hasHelm, PROGRAM, WHERE_HELM_IS } from "../src/helm.ts";

const FOLDER = new URL("../../../deploy/manifests/", import.meta.url).pathname;

describe.skipIf(!hasHelm)(`the plain manifests${WHERE_HELM_IS}`, () => {
  test("are what the chart makes", () => {
    for (const [path, text] of Object.entries(plainManifests(PROGRAM))) {
      expect(dirname(path)).toBe(dirname(join(FOLDER, "kindling.yaml")));
      expect(readFileSync(path, "utf8"), "run node tools/references/plain-manifests.mjs").toBe(text);
    }
  });
});

test.each(["kindling.yaml", "kindling-s3.yaml"])(
  "%s holds no secrets, nothing of Helm, and the namespace first",
  (name) => {
    const text = readFileSync(join(FOLDER, name), "utf8");
    const objects = parseAllDocuments(text).map((document) => document.toJS());
    expect(objects[0]).toMatchObject({ kind: "Namespace", metadata: { name: "kindling" } });
    expect(objects.filter(({ kind }) => kind === "Secret")).toEqual([]);
    expect(text).not.toMatch(/BEGIN|helm\.sh\/|managed-by/);
  },
);

const hasTools = ["kubectl", "openssl"].every((tool) => spawnSync(tool, ["version"]).error === undefined);

describe.skipIf(!hasTools)(
  `the plain manifests, applied${hasTools ? "" : " (skipped: no kubectl, or no openssl)"}`,
  () => {
    let cluster;
    const run = async (command, ...args) =>
      (await promisify(execFile)(command, args, { env: { ...process.env, KUBECONFIG: cluster.kubeconfig } })).stdout;
    const certificate = async (secret, entry) => {
      const path = `jsonpath={.data.${entry}}`;
      return Buffer.from(
        await run("kubectl", "-n", "kindling", "get", "secret", secret, "-o", path),
        "base64",
      ).toString();
    };

    beforeAll(async () => {
      cluster = await EmbeddedCluster.start();
    });
    afterAll(async () => {
      await cluster.stop();
    });

    test("are ready once the script has made certificates, which it renews with the same authority", async () => {
      const before = await cluster.objects();
      const file = join(FOLDER, "kindling.yaml");
      await run("kubectl", "apply", "-f", file);
      await run(join(FOLDER, "certificates.sh"));
      const wait = ["wait", "--for=condition=Available", "deployment", "--all", "--timeout=60s"];
      expect(await run("kubectl", "-n", "kindling", ...wait)).toContain("kindling-staging condition met");

      const authority = await certificate("kindling-ca", "tls\\.crt");
      const first = await certificate("kindling-staging-tls", "tls\\.crt");
      const read = new X509Certificate(first);
      expect(read.verify(new X509Certificate(authority).publicKey)).toBe(true);
      expect(read.checkHost("kindling-staging.kindling.svc")).toBe("kindling-staging.kindling.svc");
      const path = "jsonpath={.data.ca\\.crt}";
      expect(await run("kubectl", "-n", "kindling", "get", "configmap", "kindling", "-o", path)).toBe(authority);

      await run(join(FOLDER, "certificates.sh"), "kindling");
      expect(await certificate("kindling-ca", "tls\\.crt")).toBe(authority);
      expect(await certificate("kindling-staging-tls", "tls\\.crt")).not.toBe(first);

      await run("kubectl", "delete", "--ignore-not-found", "-f", file);
      expect(await cluster.objects()).toEqual(before);
    });
  },
);
