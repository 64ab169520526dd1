import { X509Certificate } from "node:crypto";
import { resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EmbeddedCluster } from "../src/embedded.ts";
import { CHART, hasHelm, helm, WHERE_HELM_IS } from "../src/helm.ts";
import { CONNECT } from "../src/variants.ts";
import { NAMESPACE, valueFlags, type Values } from "../src/render.ts";

describe.skipIf(!hasHelm)(`the chart, installed by Helm on the embedded cluster${WHERE_HELM_IS}`, () => {
  let cluster: EmbeddedCluster;

  beforeAll(async () => {
    cluster = await EmbeddedCluster.start();
  });
  afterAll(async () => {
    await cluster.stop();
  });

  async function onRelease(verb: "install" | "upgrade", values: Values = {}): Promise<string> {
    const flags = ["--namespace", NAMESPACE, "--wait", "--timeout", "60s", ...valueFlags(values)];
    return await helm([verb, "kindling", CHART, ...flags], cluster.kubeconfig);
  }

  async function certificates(): Promise<Record<string, string>> {
    const names = ["kindling-ca", "kindling-staging-tls", "kindling-gateway-tls"];
    const entries = names.map(async (name) => [name, (await cluster.secret(name))["tls.crt"] ?? ""] as const);
    return Object.fromEntries(await Promise.all(entries));
  }

  test("says the next command, keeps certificates over upgrades, and leaves nothing behind", async () => {
    const before = await cluster.objects();
    const values: Values = { "staging.storage.kind": "emptyDir", namespaces: ["etl", "adhoc"] };
    const notes = await onRelease("install", values);
    expect(notes).toContain("kindling submit --namespace etl ");
    expect(notes).toContain("applications run in etl, adhoc");
    const first = await certificates();

    for (const service of ["staging", "gateway"]) {
      const { "tls.crt": leaf = "", "ca.crt": ca = "" } = await cluster.secret(`kindling-${service}-tls`);
      const certificate = new X509Certificate(leaf);
      expect(certificate.verify(new X509Certificate(ca).publicKey)).toBe(true);
      expect(certificate.ca).toBe(false);
      const names = [
        `kindling-${service}.${NAMESPACE}.svc`,
        `kindling-${service}.${NAMESPACE}.svc.cluster.local`,
        "localhost",
      ];
      for (const name of names) expect(certificate.checkHost(name)).toBe(name);
      expect(ca.trim()).toBe(first["kindling-ca"]?.trim());
    }

    await onRelease("upgrade", { ...values, "gateway.settings": { "log.level": "debug" } });
    expect(await certificates(), "after an upgrade").toEqual(first);

    await onRelease("upgrade", { ...values, "tls.extraNames": ["staging.example", "192.0.2.7"] });
    const renamed = await certificates();
    expect(renamed["kindling-ca"]).toBe(first["kindling-ca"]);
    const certificate = new X509Certificate(renamed["kindling-staging-tls"] ?? "");
    expect(certificate.checkHost("staging.example")).toBe("staging.example");
    expect(certificate.checkIP("192.0.2.7")).toBe("192.0.2.7");

    await helm(["uninstall", "kindling", "--namespace", NAMESPACE], cluster.kubeconfig);
    expect(await cluster.objects()).toEqual(before);
  });

  test("keeps the key of Spark Connect's drivers over upgrades, and makes none beside one's own", async () => {
    const values: Values = { "staging.storage.kind": "emptyDir", ...CONNECT };
    const key = async (): Promise<string> => (await cluster.secret("kindling-connect-drivers"))["key"] ?? "";
    const notes = await onRelease("install", values);
    expect(notes).toContain(`  sc://kindling-connect.${NAMESPACE}.svc:443/;use_ssl=true;token=TOKEN\n`);
    const first = await key();
    expect(first).toMatch(/^[A-Za-z0-9]{48}$/);
    const { "tls.crt": leaf = "" } = await cluster.secret("kindling-connect-tls");
    expect(new X509Certificate(leaf).checkHost(`kindling-connect.${NAMESPACE}.svc`)).toBeDefined();
    await onRelease("upgrade", { ...values, "connect.settings": { "log.level": "debug" } });
    expect(await key()).toBe(first);
    const own = { metadata: { name: "our-key" }, stringData: { key: "k".repeat(32) } };
    await cluster.client.create(resources.secrets, own);
    await onRelease("upgrade", { ...values, "connect.driversKeySecret": "our-key" });
    expect((await cluster.objects()).filter((object) => object.includes("kindling-connect-drivers"))).toEqual([]);
    await cluster.client.delete(resources.secrets, "our-key");
    await helm(["uninstall", "kindling", "--namespace", NAMESPACE], cluster.kubeconfig);
  });

  test("is refused where a namespace of applications is not there, before anything is made", async () => {
    const before = await cluster.objects();
    const install = onRelease("install", { namespaces: ["etl", "elt", "adhok"] });
    await expect(install).rejects.toThrow(
      /namespaces: not in the cluster: elt, adhok; make them first \(kubectl create namespace elt\), or take them out/,
    );
    expect(await cluster.objects()).toEqual(before);
  });

  test("says which queue to name, where there is no default", async () => {
    const values: Values = { "staging.storage.kind": "emptyDir" };
    const queues = [{ name: "etl", children: [{ name: "daily" }] }, { name: "adhoc" }];
    const notes = await onRelease("install", { ...values, queues });
    expect(notes).toContain(
      `kindling doctor --namespace ${NAMESPACE} --conf spark.kindling.scheduler.queue=etl.daily\n`,
    );
    expect(notes).toContain("    --conf spark.kindling.scheduler.queue=etl.daily \\\n");
    expect(notes).toContain("There is no queue `default`");
    const others = await onRelease("upgrade", { ...values, queues: [...queues, { name: "default" }] });
    expect(others).not.toContain("spark.kindling.scheduler.queue");
    await helm(["uninstall", "kindling", "--namespace", NAMESPACE], cluster.kubeconfig);
  });

  test("takes a renewed authority for all that it had issued", async () => {
    const values: Values = { "staging.storage.kind": "emptyDir" };
    await onRelease("install", values);
    const first = await certificates();
    await cluster.client.delete(resources.secrets, "kindling-ca");
    await onRelease("upgrade", values);
    const second = await certificates();
    const ca = new X509Certificate(second["kindling-ca"] ?? "");
    for (const [name, pem] of Object.entries(second)) {
      expect(pem).not.toBe(first[name]);
      expect(new X509Certificate(pem).verify(ca.publicKey)).toBe(true);
    }
    await helm(["uninstall", "kindling", "--namespace", NAMESPACE], cluster.kubeconfig);
  });
});
