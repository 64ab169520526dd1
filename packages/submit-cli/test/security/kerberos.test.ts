import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resources } from "@kindling/kube";
import { freePort } from "@kindling/test-kit/free-port";
import { startKdc, type Kdc } from "@kindling/test-kit/kdc";
import { START_LIMIT_MS } from "@kindling/test-kit/real-server";
import { hasSecureHdfs, startSecureHdfs, type SecureHdfs } from "@kindling/test-kit/secure-hdfs";
import type { Secret } from "kubernetes-types/core/v1.js";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { NAMESPACE } from "../fixtures/submission.ts";
import { wire, type Submitting, type Wire } from "../fixtures/wire.ts";

vi.setConfig({ testTimeout: 60_000 });

describe.runIf(hasSecureHdfs)("with a real KDC and a real name node", () => {
  const folder = mkdtempSync(join(tmpdir(), "kindling-kerberos-"));
  let kdc: Kdc;
  let hdfs: SecureHdfs;

  beforeAll(async () => {
    kdc = await startKdc(folder);
    kdc.addUser("alice", "secret");
    hdfs = await startSecureHdfs(join(folder, "hdfs"), kdc);
  }, START_LIMIT_MS);

  afterAll(async () => {
    await hdfs?.stop();
    await kdc?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Submits as a user with this ticket cache. */
  async function submit(scene: Wire, cache: string, more: Submitting = {}): ReturnType<Wire["submit"]> {
    const property = (name: string, value: string): string =>
      `<property><name>${name}</name><value>${value}</value></property>`;
    scene.folder.write(
      "hadoop/core-site.xml",
      `<configuration>${property("hadoop.security.authentication", "kerberos")}${property("fs.defaultFS", `hdfs://localhost:${hdfs.rpcPort}`)}</configuration>`,
    );
    scene.folder.write(
      "hadoop/hdfs-site.xml",
      `<configuration>${property("dfs.namenode.http-address", `localhost:${hdfs.httpPort}`)}</configuration>`,
    );
    const env = {
      HADOOP_CONF_DIR: join(scene.folder.path, "hadoop"),
      KRB5_CONFIG: kdc.krb5Conf,
      KRB5CCNAME: `FILE:${cache}`,
      ...more.env,
    };
    return await scene.submit({ ...more, env });
  }

  test("C29: tokens go into a Secret alone, and the driver runs as the ticket's user", async () => {
    const scene = await wire();
    const ended = await submit(scene, kdc.login("alice", "secret"));
    expect(ended.code, ended.stderr).toBe(0);
    const { items } = await scene.client.listAll<Secret>(resources.secrets, { namespace: NAMESPACE });
    const [tokens = ""] = items.flatMap(({ data }) => data?.["hadoop-tokens"] ?? []);
    expect(Buffer.from(tokens, "base64").toString("latin1")).toContain("HDFS_DELEGATION_TOKEN");
    expect(await scene.places({ tokens })).toEqual({ tokens: ["API server", "Secret"] });
    const { items: pods } = await scene.client.listAll(resources.pods, { namespace: NAMESPACE });
    expect(JSON.stringify(pods)).toContain('{"name":"SPARK_USER","value":"alice"}');
  });

  test.each<[string, () => { readonly cache: string; readonly more?: Submitting }, RegExp]>([
    [
      "no ticket",
      () => ({ cache: "/none" }),
      /^error: there is no Kerberos ticket: the ticket cache \/none does not exist\nhint: get a ticket with kinit/m,
    ],
    [
      "a name node that is away",
      () => ({
        cache: kdc.login("alice", "secret"),
        more: { keys: { "spark.hadoop.dfs.namenode.http-address": "localhost:1" } },
      }),
      /^error: no name node of hdfs:\/\/localhost:\d+ gives a delegation token: http:\/\/localhost:1: connection refused$/m,
    ],
    [
      "another user's tokens",
      () => ({ cache: kdc.login("alice", "secret"), more: { flags: ["--proxy-user", "bob"] } }),
      /^error: the name node localhost:\d+ gives no delegation token: User: alice is not allowed to impersonate bob/m,
    ],
  ])("%s: one line, and nothing is made", async (_, given, words) => {
    const scene = await wire();
    const { cache, more } = given();
    const ended = await submit(scene, cache, more);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(words);
    const { items } = await scene.client.listAll(resources.pods, { namespace: NAMESPACE });
    expect(items).toEqual([]);
  });

  test("a KDC that is away", async () => {
    const scene = await wire();
    const conf = `[libdefaults]\n default_realm = ${kdc.realm}\n[realms]\n ${kdc.realm} = {\n  kdc = 127.0.0.1:${await freePort()}\n }\n`;
    const env = { KRB5_CONFIG: scene.folder.write("krb5.conf", conf) };
    const ended = await submit(scene, kdc.login("alice", "secret"), { env });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(
      /^error: no KDC of the realm KINDLING\.TEST answers: 127\.0\.0\.1:\d+ refuses the connection$/m,
    );
  });
});
