import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  credentialsFile,
  fetchDelegationTokens,
  hadoopConfiguration,
  kerberosLogin,
  openTokenMeans,
  tokenFileSystems,
} from "@kindling/kerberos";
import { systemClock, systemRandom } from "@kindling/outside";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { caught } from "@kindling/test-kit/caught";
import { eventually } from "@kindling/test-kit/eventually";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { secureHadoop } from "@kindling/test-kit/secure-hadoop";
import { hasSecureHdfs } from "@kindling/test-kit/secure-hdfs";
import { describe, expect, onTestFinished, test } from "vitest";
import { driverWithTokens } from "../../support/driver-with-tokens.ts";
import { startTestGateway } from "../../support/test-gateway.ts";

interface TokenOfAlice {
  readonly file: Buffer;
  /** Looks at her home in HDFS with it. */
  readonly look: () => Promise<string>;
  /** The token and its password, in all forms in which they could be told. */
  readonly secrets: readonly string[];
}

const INTERVAL_MS = 6_000;
const PATIENCE = { interval: 1_000, timeout: 40_000 };

describe.runIf(hasSecureHdfs)("a name node whose tokens end after six seconds unless they are renewed", () => {
  const hadoop = secureHadoop({
    properties: { "dfs.namenode.delegation.token.renew-interval": String(INTERVAL_MS) },
  });

  /** Gets a token of alice. */
  async function tokenOfAlice(): Promise<TokenOfAlice> {
    const conf = hadoopConfiguration(new Map(Object.entries(hadoop.properties())));
    const { fileSystems } = tokenFileSystems({ conf, fileSystems: [], origin: "" });
    const { means, close } = openTokenMeans({ clock: systemClock, random: systemRandom() });
    onTestFinished(close);
    const readBytes = (path: string): Buffer | undefined => (existsSync(path) ? readFileSync(path) : undefined);
    const login = kerberosLogin({
      clock: systemClock,
      env: { KRB5CCNAME: `FILE:${hadoop.login()}` },
      user: { uid: 0, name: "root" },
      krb5Confs: [hadoop.kdc.krb5Conf],
      files: { readBytes, readText: (path) => readBytes(path)?.toString("utf8"), list: readdirSync },
    });
    const request = { conf, fileSystems, notRenewed: [], renewer: "kindling", proxyUser: undefined };
    const [token] = await fetchDelegationTokens(login, request, means);
    if (token === undefined) throw new Error("no token");
    const { identifier, password } = token;
    const blocks = [identifier, password, Buffer.alloc(0), Buffer.alloc(0)];
    const text = Buffer.concat(blocks.flatMap((bytes) => [Buffer.from([bytes.length]), bytes])).toString("base64url");
    const url = `${hadoop.hdfs.endpoint}/webhdfs/v1/?op=GETHOMEDIRECTORY&delegation=${text}`;
    const secrets = [text, password.toString("base64"), password.toString("base64url"), password.toString("hex")];
    return { file: credentialsFile([token]), secrets, look: async () => await (await fetch(url)).text() };
  }

  test("C31: takes the token of a running driver for as long as the gateway renews it, and no longer", async () => {
    const cluster = await TestCluster.start();
    const conf = scratchFolder().path;
    hadoop.writeSites(conf);
    const gateway = await startTestGateway(cluster, {
      settings: [
        ...["--kerberos-keytab", hadoop.kdc.addServices("kindling"), "--kerberos-principal", "kindling"],
        ...["--kerberos-krb5-conf", hadoop.kdc.krb5Conf, "--kerberos-hadoop-conf", conf],
      ],
    });
    const [kept, left] = [await tokenOfAlice(), await tokenOfAlice()];
    await driverWithTokens(cluster, "app", kept.file);
    // Three of the intervals, as the other token shows.
    await eventually(async () => expect(await left.look()).toContain("has expired"), PATIENCE);
    for (const _ of [1, 2]) {
      const before = Date.now();
      await eventually(() => expect(Date.now() - before).toBeGreaterThan(INTERVAL_MS), PATIENCE);
      expect(await kept.look()).toBe('{"Path":"/user/alice"}');
    }
    const metrics = await (await fetch(new URL("metrics", gateway.adminUri))).text();
    expect(Number(/^gateway_token_renewals_total\{outcome="renewed"\} (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(3);
    const events = JSON.stringify(await cluster.send("GET", "/api/v1/events"));
    const told = [metrics, events, ...gateway.lines, await (await fetch(gateway.adminUri)).text()].join("\n");
    expect(kept.secrets.filter((secret) => told.includes(secret))).toEqual([]);
    await gateway.stop();
    await eventually(async () => expect(await kept.look()).toContain("has expired"), PATIENCE);
  }, 120_000);

  test("a gateway that cannot log in starts, and its log says why", async () => {
    const cluster = await TestCluster.start();
    const conf = scratchFolder().path;
    hadoop.writeSites(conf);
    const krb5Conf = ["--kerberos-krb5-conf", hadoop.kdc.krb5Conf, "--kerberos-hadoop-conf", conf];
    const keytab = join(conf, "none.keytab");
    const settings = ["--kerberos-keytab", keytab, "--kerberos-principal", "kindling", ...krb5Conf];
    const { lines } = await startTestGateway(cluster, { settings });
    await eventually(() => expect(lines.join("")).toContain("the gateway cannot log in to renew delegation tokens"));
    const other = ["--kerberos-keytab", keytab, "--kerberos-principal", "a@OTHER.TEST", ...krb5Conf];
    expect((await caught(startTestGateway(cluster, { settings: other }))).message).toBe(
      "hadoop.security.auth_to_local: a@OTHER.TEST: no rule fits it",
    );
  });
});

test("settings that do not fit are refused at the start", async () => {
  const cluster = await TestCluster.start();
  const keytab = ["--kerberos-keytab", "/k", "--kerberos-principal", "a@R"];
  const start = async (...settings: readonly string[]): Promise<string> =>
    (await caught((async () => await startTestGateway(cluster, { settings }))())).message;
  expect(await start("--kerberos-keytab", "/k")).toBe("kerberos.principal must be set, because kerberos.keytab is");
  expect(await start(...keytab)).toBe("kerberos.hadoopConf must be set, because kerberos.keytab is");
  expect(await start(...keytab, "--kerberos-hadoop-conf", "/none")).toBe(
    "kerberos.hadoopConf: /none/core-site.xml cannot be read",
  );
  const empty = scratchFolder({ "core-site.xml": "<configuration/>" }).path;
  const krb5 = scratchFolder({ "krb5.conf": "[libdefaults]\ndefault_realm = R\n" }).path;
  expect(await start(...keytab, "--kerberos-hadoop-conf", empty, "--kerberos-krb5-conf", `${krb5}/krb5.conf`)).toBe(
    "neither fs.defaultFS nor kerberos.fileSystems names an HDFS",
  );
});
