import { caught } from "@kindling/test-kit/caught";
import { startKdc, type Kdc } from "@kindling/test-kit/kdc";
import { START_LIMIT_MS } from "@kindling/test-kit/real-server";
import { hasSecureHdfs, startSecureHdfs, type SecureHdfs } from "@kindling/test-kit/secure-hdfs";
import { freePort } from "@kindling/test-kit/free-port";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  fetchDelegationTokens,
  tokenFileSystems,
  type DelegationTokenRequest,
} from "../src/hadoop/fetch-delegation-tokens.ts";
import { hadoopConfiguration } from "../src/hadoop/hadoop-configuration.ts";
import { credentialsFile, parseCredentialsFile } from "../src/hadoop/credentials-file.ts";
import type { HadoopToken } from "../src/hadoop/hadoop-token.ts";
import { loginWith, realMeans } from "./support/means.ts";

function request(
  properties: Readonly<Record<string, string>>,
  more: Partial<DelegationTokenRequest> = {},
): DelegationTokenRequest {
  const conf = hadoopConfiguration(new Map(Object.entries(properties)));
  const { fileSystems } = tokenFileSystems({ conf, fileSystems: [], origin: "" });
  return { conf, fileSystems, notRenewed: [], renewer: "alice", proxyUser: undefined, ...more };
}

/** A token as WebHDFS takes it: the kind and the service do not matter to it. */
function urlText({ identifier, password, kind, service }: HadoopToken): string {
  const blocks = [identifier, password, Buffer.from(kind), Buffer.from(service)];
  return Buffer.concat(blocks.flatMap((bytes) => [Buffer.from([bytes.length]), bytes])).toString("base64url");
}

describe.runIf(hasSecureHdfs)("a name node with Kerberos", () => {
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

  const one = (): Record<string, string> => ({
    "fs.defaultFS": `hdfs://localhost:${hdfs.rpcPort}`,
    "dfs.namenode.http-address": `localhost:${hdfs.httpPort}`,
  });
  const login = () => loginWith(kdc.login("alice", "secret"), kdc.krb5Conf);

  it("hands out a token with which the user's files can be used", async () => {
    const tokens = await fetchDelegationTokens(login(), request(one()), realMeans());
    expect(tokens).toMatchObject([{ kind: "HDFS_DELEGATION_TOKEN", service: `127.0.0.1:${hdfs.rpcPort}` }]);
    const [token] = parseCredentialsFile(credentialsFile(tokens));
    if (token === undefined) throw new Error("no token");
    expect(token.identifier.toString("latin1")).toContain("alice");
    const home = await fetch(`${hdfs.endpoint}/webhdfs/v1/?op=GETHOMEDIRECTORY&delegation=${urlText(token)}`);
    expect([home.status, await home.text()]).toStrictEqual([200, '{"Path":"/user/alice"}']);
  });

  it("is asked behind another one that is away, and the token is for the name service", async () => {
    const away = await freePort();
    const properties = {
      "fs.defaultFS": "hdfs://ns1",
      "dfs.nameservices": "ns1",
      "dfs.ha.namenodes.ns1": "nn1,nn2",
      "dfs.namenode.http-address.ns1.nn1": `localhost:${away}`,
      "dfs.namenode.http-address.ns1.nn2": `localhost:${hdfs.httpPort}`,
    };
    const tokens = await fetchDelegationTokens(login(), request(properties), realMeans());
    expect(tokens).toMatchObject([{ kind: "HDFS_DELEGATION_TOKEN", service: "ha-hdfs:ns1" }]);
    const onlyAway = request({ ...properties, "dfs.ha.namenodes.ns1": "nn1" });
    const error = await caught(fetchDelegationTokens(login(), onlyAway, realMeans()));
    expect(error.message).toContain(`no name node of hdfs://ns1 gives a delegation token: localhost:${away}: `);
  });

  it("is asked for one token alone, if it has two names", async () => {
    const properties = one();
    const conf = hadoopConfiguration(new Map(Object.entries(properties)));
    const byAddress = `hdfs://127.0.0.1:${hdfs.rpcPort}`;
    const { fileSystems } = tokenFileSystems({ conf, fileSystems: [byAddress], origin: "" });
    expect(fileSystems).toHaveLength(2);
    const tokens = await fetchDelegationTokens(login(), request(properties, { fileSystems }), realMeans());
    expect(tokens.map(({ service }) => service)).toStrictEqual([`127.0.0.1:${hdfs.rpcPort}`]);
  });

  it("refuses another user's token if it may not be had", async () => {
    const error = await caught(fetchDelegationTokens(login(), request(one(), { proxyUser: "bob" }), realMeans()));
    expect(error).toMatchObject({
      code: "TOKEN_REFUSED",
      hint: "allow it in the name node's core-site.xml: hadoop.proxyuser.USER.hosts and .groups",
    });
    expect(error.message).toMatch(/^the name node localhost:\d+ gives no delegation token: .*impersonate bob/);
  });
});
