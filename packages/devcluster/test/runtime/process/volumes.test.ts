import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getuid } from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EnvVar, Volume, VolumeMount } from "../../../src/objects/pod.ts";
import { containersHere } from "./containers-here.ts";
import { ShellCluster } from "./shell-cluster.ts";

describe.skipIf(containersHere.missing)(`volumes${containersHere.note}`, () => {
  let shell: ShellCluster;
  let folder: string;

  beforeAll(async () => {
    shell = await ShellCluster.start();
    folder = mkdtempSync(join(tmpdir(), "kindling-volumes-"));
    chmodSync(folder, 0o755);
  });

  afterAll(async () => {
    await shell.stop();
    rmSync(folder, { recursive: true });
  });

  /** Runs a script with one volume. */
  async function outputWith(
    script: string,
    volume: Omit<Volume, "name">,
    mount: Partial<VolumeMount> = {},
    env: EnvVar[] = [],
  ): Promise<string> {
    const volumeMounts = [{ name: "it", mountPath: "/it", ...mount }];
    return await shell.output(script, { volumeMounts, env }, { volumes: [{ name: "it", ...volume }] });
  }

  test("a config map is a folder of files, of the chosen keys at the chosen paths with the chosen modes", async () => {
    const binaryData = { bytes: Buffer.from([0, 255]).toString("base64") };
    await shell.create("configmaps", {
      metadata: { name: "settings" },
      data: { a: "1\n", "b.txt": "2\n" },
      binaryData,
    });
    expect(await outputWith("cd /it; ls; cat a b.txt; od -An -tx1 bytes", { configMap: { name: "settings" } })).toBe(
      "a\nb.txt\nbytes\n1\n2\n 00 ff\n",
    );
    const items = [
      { key: "a", path: "deep/er/a" },
      { key: "b.txt", path: "b", mode: 0o555 },
    ];
    const script = "cd /it; find -L . -type f -not -path '*/..*' -printf '%P %m\\n' | sort";
    expect(await outputWith(script, { configMap: { name: "settings", items, defaultMode: 0o444 } })).toBe(
      "b 555\ndeep/er/a 444\n",
    );
  });

  test("a secret is decoded, and cannot be written to", async () => {
    await shell.create("secrets", { metadata: { name: "keys" }, stringData: { password: "s3cret" } });
    const script = "cat /it/password; echo x > /it/password || echo; touch /it/other || echo kept";
    expect(await outputWith(script, { secret: { secretName: "keys" } })).toMatch(/^s3cret.*^kept$/ms);
  });

  test("one key alone can be mounted into a folder that is there, and into one of the system", async () => {
    await shell.create("configmaps", { metadata: { name: "one" }, data: { key: "value" } });
    const volume = { configMap: { name: "one" } };
    expect(
      await outputWith("cat /opt/motto2; cat /opt/motto", volume, { mountPath: "/opt/motto2", subPath: "key" }),
    ).toBe("valuefrom the image\n");
    const script = "cat /usr/share/kindling-test/key; test -x /usr/bin/env && test -d /usr/share && echo whole";
    expect(await outputWith(script, volume, { mountPath: "/usr/share/kindling-test" })).toBe("valuewhole\n");
    expect(await outputWith("cat /etc/krb5.conf", volume, { mountPath: "/etc/krb5.conf", subPath: "key" })).toBe(
      "value\n",
    );
  });

  test("a mount path can have any letters", async () => {
    const mountPath = "/with space/#and\\back\tslash'quote";
    expect(
      await outputWith(`echo in > "$WHERE/file" && cat "$WHERE/file"`, { emptyDir: {} }, { mountPath }, [
        { name: "WHERE", value: mountPath },
      ]),
    ).toBe("in\n");
  });

  test("a config map that changes changes in the container, all of it at once", async () => {
    await shell.create("configmaps", { metadata: { name: "changing" }, data: { a: "old", b: "old" } });
    const volumes = [{ name: "it", configMap: { name: "changing" } }];
    const script = "while grep -q old /it/a; do sleep 0.05; done; cat /it/a /it/c; test -e /it/b || echo; sleep 60";
    const name = await shell.script(script, { volumeMounts: [{ name: "it", mountPath: "/it" }] }, { volumes });
    await shell.running(name);
    await shell.request("PUT", "/api/v1/namespaces/default/configmaps/changing", {
      metadata: { name: "changing" },
      data: { a: "new", c: "more" },
    });
    expect(await shell.logged(name, "newmore\n")).toBe("newmore\n");
  });

  test("a missing source is waited for, a missing key is told, and optional ones are left out", async () => {
    const volumeMounts = [{ name: "it", mountPath: "/it" }];
    const name = await shell.script(
      "cat /it/a",
      { volumeMounts },
      { volumes: [{ name: "it", configMap: { name: "late-map" } }] },
    );
    await shell.create("configmaps", { metadata: { name: "late-map" }, data: { a: "here" } });
    await shell.finished(name);
    expect(await shell.log(name)).toBe("here\n");
    expect(await outputWith("ls /it | wc -l", { secret: { secretName: "never", optional: true } })).toBe("0\n");
    const items = [{ key: "none", path: "none" }];
    await shell.script("true", { volumeMounts }, { volumes: [{ name: "it", configMap: { name: "late-map", items } }] });
    await expect
      .poll(async () => (await shell.request("GET", "/api/v1/namespaces/default/events")).text)
      .toContain('MountVolume.SetUp failed for volume \\"it\\" : references non-existent config key: none');
  });

  test("a projected volume joins tokens, config maps, secrets and the pod's own fields", async () => {
    await shell.create("configmaps", { metadata: { name: "joined" }, data: { c: "config " } });
    await shell.create("secrets", { metadata: { name: "joined" }, stringData: { s: "secret " } });
    const sources = [
      { configMap: { name: "joined" } },
      { secret: { name: "joined" } },
      { downwardAPI: { items: [{ path: "labels", fieldRef: { fieldPath: "metadata.labels['x']" } }] } },
      { serviceAccountToken: { audience: "vault", path: "token" } },
    ];
    const pod = await shell.pod(
      {
        volumes: [{ name: "it", projected: { sources } }],
        containers: [
          {
            args: ["cd /it; cat c s labels; echo; cat token"],
            volumeMounts: [{ name: "it", mountPath: "/it" }],
          } as never,
        ],
      },
      { labels: { x: "label" } },
    );
    await shell.finished(pod);
    const [joined, token = ""] = (await shell.log(pod)).split("\n");
    expect(joined).toBe("config secret label");
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { aud: string[] };
    expect(claims.aud).toEqual(["vault"]);
  });

  test("every pod has the token of its account and the cluster's authority", async () => {
    const script = "cd /var/run/secrets/kubernetes.io/serviceaccount; ls; cat namespace; head -n 1 ca.crt";
    expect(await shell.output(script)).toBe("ca.crt\nnamespace\ntoken\ndefault-----BEGIN CERTIFICATE-----\n");
  });

  test("an empty folder belongs to all containers of its pod and goes with it, whether on disk or in memory", async () => {
    const volumes = [{ name: "disk", emptyDir: {} }, { name: "memory", emptyDir: { medium: "Memory" } }]; // prettier-ignore
    const volumeMounts = [{ name: "disk", mountPath: "/disk" }, { name: "memory", mountPath: "/memory" }]; // prettier-ignore
    const name = await shell.pod({
      volumes,
      containers: [
        {
          name: "writer",
          args: ["stat -f -c %T /memory; echo a > /disk/a; echo b > /memory/b; sleep 60"],
          volumeMounts,
        },
        {
          name: "reader",
          // cat begins only when both files are there: it prints the one even if the other is missing.
          args: ["until [ -s /disk/a ] && [ -s /memory/b ]; do sleep 0.05; done; cat /disk/a /memory/b"],
          volumeMounts,
        },
      ] as never,
    });
    await shell.until(
      name,
      ({ status }) => status.containerStatuses?.some(({ state }) => state.terminated?.exitCode === 0) === true,
      "the reader",
    );
    expect(await shell.log(name, "?container=reader")).toBe("a\nb\n");
    expect(await shell.log(name, "?container=writer")).toBe("tmpfs\n");
  });

  test("a pod that puts more into an empty folder than that may hold is evicted", async () => {
    const volumes = [{ name: "it", emptyDir: { sizeLimit: "1Mi" } }];
    const volumeMounts = [{ name: "it", mountPath: "/it" }];
    const name = await shell.script(
      "mkdir /it/a; head -c 2000000 /dev/zero > /it/a/b; sleep 60",
      { volumeMounts },
      { volumes },
    );
    const { status } = await shell.finished(name);
    expect(status).toMatchObject({
      phase: "Failed",
      reason: "Evicted",
      message: 'Usage of EmptyDir volume "it" exceeds the limit "1Mi". ',
    });
  });

  test("a part of a volume is made when it is missing, and its path can have variables", async () => {
    const volumeMounts = [
      { name: "it", mountPath: "/all" },
      { name: "it", mountPath: "/own", subPathExpr: "pods/$(POD)" },
    ];
    const env = [{ name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }];
    const name = await shell.script(
      "echo x > /own/file; cd /all; find . -type f",
      { volumeMounts, env },
      { volumes: [{ name: "it", emptyDir: {} }] },
    );
    await shell.finished(name);
    expect(await shell.log(name)).toBe(`./pods/${name}/file\n`);
  });

  test("a folder of this machine is seen as it is, unless only to be read or not of the right kind", async () => {
    writeFileSync(join(folder, "here"), "on the host\n");
    expect(await outputWith("cat /it/here", { hostPath: { path: folder } }, { readOnly: true })).toBe("on the host\n");
    const refused = await outputWith(
      "touch /it/new || echo refused",
      { hostPath: { path: folder } },
      { readOnly: true },
    );
    expect(refused).toContain("refused");
    const made = { hostPath: { path: join(folder, "made"), type: "DirectoryOrCreate" } };
    await outputWith("chmod 777 /it", made);
    expect(statSync(join(folder, "made")).isDirectory()).toBe(true);
    const volumes = [{ name: "it", hostPath: { path: join(folder, "here"), type: "Directory" } }];
    await shell.script("true", {}, { volumes });
    await expect
      .poll(async () => (await shell.request("GET", "/api/v1/namespaces/default/events")).text)
      .toContain(`hostPath type check failed: ${join(folder, "here")} is not a directory`);
  });

  test("a claim keeps what pods write, one after another, until it is deleted", async () => {
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
    await shell.create("persistentvolumeclaims", { metadata: { name: "kept" }, spec });
    const volume = { persistentVolumeClaim: { claimName: "kept" } };
    expect(await outputWith("echo one >> /it/log; cat /it/log", volume)).toBe("one\n");
    expect(await outputWith("echo two >> /it/log; cat /it/log", volume)).toBe("one\ntwo\n");
  });

  test.skipIf(getuid?.() !== 0)("the pod's group can use its volumes", async () => {
    await shell.create("secrets", { metadata: { name: "grouped" }, stringData: { key: "x" } });
    const script = "id -G; stat -c '%g %a' /it /secret/..data/key; touch /it/x && stat -c %g /it/x";
    const volumeMounts = [{ name: "it", mountPath: "/it" }, { name: "secret", mountPath: "/secret" }]; // prettier-ignore
    const volumes = [{ name: "it", emptyDir: {} }, { name: "secret", secret: { secretName: "grouped", defaultMode: 0o400 } }]; // prettier-ignore
    const output = await shell.output(script, { volumeMounts }, { volumes, securityContext: { fsGroup: 4242 } });
    expect(output).toBe("0 4242\n4242 2777\n4242 440\n4242\n");
  });

  test("what a container does to its root leaves this machine as it is", async () => {
    const before = readFileSync("/etc/hosts", "utf8");
    await shell.output("echo 1.2.3.4 evil >> /etc/hosts; rm -rf /etc/passwd /usr/bin/sh", {
      securityContext: { runAsUser: 0 },
    });
    expect(readFileSync("/etc/hosts", "utf8")).toBe(before);
    expect(statSync("/usr/bin/sh").isFile()).toBe(true);
  });
});
