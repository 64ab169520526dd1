import { caught } from "@kindling/test-kit/caught";
import { freePort } from "@kindling/test-kit/free-port";
import { secureHadoop } from "@kindling/test-kit/secure-hadoop";
import { hasSecureHdfs } from "@kindling/test-kit/secure-hdfs";
import { describe, expect, it } from "vitest";
import {
  fetchDelegationTokens,
  tokenFileSystems,
  type DelegationTokenRequest,
} from "../src/hadoop/fetch-delegation-tokens.ts";
import { hadoopConfiguration } from "../src/hadoop/hadoop-configuration.ts";
import { credentialsFile, parseCredentialsFile } from "../src/hadoop/credentials-file.ts";
import type { HadoopToken } from "../src/hadoop/hadoop-token.ts";
import type { KerberosLogin } from "../src/login/kerberos-login.ts";
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
  const hadoop = secureHadoop();
  const one = (): Readonly<Record<string, string>> => hadoop.properties();
  const login = (): KerberosLogin => loginWith(hadoop.login(), hadoop.kdc.krb5Conf);

  it("hands out a token with which the user's files can be used", async () => {
    const tokens = await fetchDelegationTokens(login(), request(one()), realMeans());
    expect(tokens).toMatchObject([{ kind: "HDFS_DELEGATION_TOKEN", service: `127.0.0.1:${hadoop.hdfs.rpcPort}` }]);
    const [token] = parseCredentialsFile(credentialsFile(tokens));
    if (token === undefined) throw new Error("no token");
    expect(token.identifier.toString("latin1")).toContain("alice");
    const home = await fetch(`${hadoop.hdfs.endpoint}/webhdfs/v1/?op=GETHOMEDIRECTORY&delegation=${urlText(token)}`);
    expect([home.status, await home.text()]).toStrictEqual([200, '{"Path":"/user/alice"}']);
  });

  it("is asked behind another one that is away, and the token is for the name service", async () => {
    const away = await freePort();
    const properties = {
      "fs.defaultFS": "hdfs://ns1",
      "dfs.nameservices": "ns1",
      "dfs.ha.namenodes.ns1": "nn1,nn2",
      "dfs.namenode.http-address.ns1.nn1": `localhost:${away}`,
      "dfs.namenode.http-address.ns1.nn2": `localhost:${hadoop.hdfs.webPort}`,
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
    const byAddress = `hdfs://127.0.0.1:${hadoop.hdfs.rpcPort}`;
    const { fileSystems } = tokenFileSystems({ conf, fileSystems: [byAddress], origin: "" });
    expect(fileSystems).toHaveLength(2);
    const tokens = await fetchDelegationTokens(login(), request(properties, { fileSystems }), realMeans());
    expect(tokens.map(({ service }) => service)).toStrictEqual([`127.0.0.1:${hadoop.hdfs.rpcPort}`]);
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
