import { join } from "node:path";
import { resources } from "@kindling/kube";
import { testAuthority } from "@kindling/test-kit/certificates";
import { freePort } from "@kindling/test-kit/free-port";
import { hadoopSite } from "@kindling/test-kit/hadoop-site";
import { secureHadoop } from "@kindling/test-kit/secure-hadoop";
import { hasSecureHdfs } from "@kindling/test-kit/secure-hdfs";
import type { Secret } from "kubernetes-types/core/v1.js";
import { describe, expect, test, vi } from "vitest";
import { NAMESPACE } from "../fixtures/submission.ts";
import { wire, type Submitting, type Wire } from "../fixtures/wire.ts";

vi.setConfig({ testTimeout: 60_000 });

describe.runIf(hasSecureHdfs)("with a real KDC and a real name node", () => {
  const hadoop = secureHadoop();

  /** Submits as a user with this ticket cache. */
  async function submit(scene: Wire, cache: string, more: Submitting = {}): ReturnType<Wire["submit"]> {
    const folder = join(scene.folder.path, "hadoop");
    hadoop.writeSites(folder);
    const env = {
      HADOOP_CONF_DIR: folder,
      KRB5_CONFIG: hadoop.kdc.krb5Conf,
      KRB5CCNAME: `FILE:${cache}`,
      ...more.env,
    };
    return await scene.submit({ ...more, env });
  }

  test("C29: tokens go into a Secret alone, and the driver runs as the ticket's user", async () => {
    const scene = await wire();
    const ended = await submit(scene, hadoop.login());
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
        cache: hadoop.login(),
        more: { keys: { "spark.hadoop.dfs.namenode.http-address": "localhost:1" } },
      }),
      /^error: no name node of hdfs:\/\/localhost:\d+ gives a delegation token: http:\/\/localhost:1: connection refused$/m,
    ],
    [
      "another user's tokens",
      () => ({ cache: hadoop.login(), more: { flags: ["--proxy-user", "bob"] } }),
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
    const conf = `[libdefaults]\n default_realm = ${hadoop.kdc.realm}\n[realms]\n ${hadoop.kdc.realm} = {\n  kdc = 127.0.0.1:${await freePort()}\n }\n`;
    const env = { KRB5_CONFIG: scene.folder.write("krb5.conf", conf) };
    const ended = await submit(scene, hadoop.login(), { env });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(
      /^error: no KDC of the realm KINDLING\.TEST answers: 127\.0\.0\.1:\d+ refuses the connection$/m,
    );
  });
});

describe.runIf(hasSecureHdfs)("with a real name node that speaks TLS alone", () => {
  const authority = testAuthority("corporate");
  const hadoop = secureHadoop({ certificate: authority.issue("localhost") });

  /** Submits as alice; `ssl` is written to ssl-client.xml. */
  async function submit(
    scene: Wire,
    { ssl = {}, env = {}, keys = {} }: { readonly ssl?: Readonly<Record<string, string>> } & Submitting = {},
  ): ReturnType<Wire["submit"]> {
    const folder = join(scene.folder.path, "hadoop");
    hadoop.writeSites(folder);
    scene.folder.write("hadoop/ssl-client.xml", hadoopSite(ssl));
    const login = { KRB5_CONFIG: hadoop.kdc.krb5Conf, KRB5CCNAME: `FILE:${hadoop.login()}` };
    return await scene.submit({ keys, env: { HADOOP_CONF_DIR: folder, ...login, ...env } });
  }

  test("its authority may stand in ssl-client.xml, or in NODE_EXTRA_CA_CERTS", async () => {
    const scene = await wire();
    const file = scene.folder.write("hadoop-ca.pem", authority.cert);
    const named = await submit(scene, { ssl: { "ssl.client.truststore.location": file } });
    expect(named.code, named.stderr).toBe(0);
    const extra = await submit(scene, { env: { NODE_EXTRA_CA_CERTS: file } });
    expect(extra.code, extra.stderr).toBe(0);
    const { items } = await scene.client.listAll<Secret>(resources.secrets, { namespace: NAMESPACE });
    expect(items.filter(({ data }) => data?.["hadoop-tokens"] !== undefined)).toHaveLength(2);
  });

  test("without it, one line says what to do, and nothing is made", async () => {
    const scene = await wire();
    const ended = await submit(scene);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(
      /^error: no name node of hdfs:\/\/localhost:\d+ gives a delegation token: https:\/\/localhost:\d+: the server's certificate is signed by an unknown authority\nhint: trust its authority: name a trust store in ssl-client\.xml/m,
    );
    const { items } = await scene.client.listAll(resources.pods, { namespace: NAMESPACE });
    expect(items).toEqual([]);
  });

  test("the submission says how long its tokens last, and who renews them", async () => {
    const scene = await wire();
    const env = { NODE_EXTRA_CA_CERTS: scene.folder.write("hadoop-ca.pem", authority.cert) };
    expect((await submit(scene, { env })).stderr).toContain("nobody renews the delegation tokens");
    const ended = await submit(scene, { env, keys: { "spark.kindling.kerberos.renewer": "kindling" } });
    expect(ended.stderr).toMatch(/the delegation tokens end at \d{4}-\S+Z, if kindling renews them/);
  });
});
