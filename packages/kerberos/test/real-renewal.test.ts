import { readFileSync } from "node:fs";
import { Agent, request as httpsRequest } from "node:https";
import { text } from "node:stream/consumers";
import { systemClock, systemRandom } from "@kindling/outside";
import { caught } from "@kindling/test-kit/caught";
import { testAuthority } from "@kindling/test-kit/certificates";
import { eventually } from "@kindling/test-kit/eventually";
import { secureHadoop } from "@kindling/test-kit/secure-hadoop";
import { hasSecureHdfs } from "@kindling/test-kit/secure-hdfs";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  credentialsFile,
  fetchDelegationTokens,
  hadoopConfiguration,
  keytabLogin,
  openTokenMeans,
  tokenFileSystems,
  tokenRenewer,
  type DelegationTokenMeans,
  type HadoopToken,
  type RenewableToken,
} from "../src/index.ts";
import { tokenText } from "../src/hadoop/hadoop-token.ts";
import { readKrb5Settings } from "../src/krb5-conf/krb5-settings.ts";
import { loginWith } from "./support/means.ts";

const INTERVAL_MS = 6_000;
const LIFETIME_MS = 40_000;

describe.runIf(hasSecureHdfs)(
  "a name node with TLS, whose tokens end after six seconds unless they are renewed",
  () => {
    const authority = testAuthority("corporate");
    const hadoop = secureHadoop({
      certificate: authority.issue("localhost"),
      properties: {
        "dfs.namenode.delegation.token.renew-interval": String(INTERVAL_MS),
        "dfs.namenode.delegation.token.max-lifetime": String(LIFETIME_MS),
      },
    });

    function meansWith(authorities?: readonly string[]): DelegationTokenMeans {
      const { means, close } = openTokenMeans({ clock: systemClock, random: systemRandom(), authorities });
      onTestFinished(close);
      return means;
    }

    async function tokensOfAlice(
      renewer: string,
      means: DelegationTokenMeans,
      properties = hadoop.properties(),
    ): Promise<readonly HadoopToken[]> {
      const conf = hadoopConfiguration(new Map(Object.entries(properties)));
      const { fileSystems } = tokenFileSystems({ conf, fileSystems: [], origin: "" });
      const login = loginWith(hadoop.login(), hadoop.kdc.krb5Conf);
      return await fetchDelegationTokens(
        login,
        { conf, fileSystems, notRenewed: [], renewer, proxyUser: undefined },
        means,
      );
    }

    /** The renewal of tokens by this principal. */
    async function renewable(
      principal: string,
      tokens: readonly HadoopToken[],
      means: DelegationTokenMeans,
    ): Promise<readonly RenewableToken[]> {
      const { kdc } = hadoop;
      const path = kdc.addServices(principal);
      const conf = hadoopConfiguration(new Map(Object.entries(hadoop.properties())));
      const { fileSystems } = tokenFileSystems({ conf, fileSystems: [], origin: "" });
      const files = { readText: (file: string) => readFileSync(file, "utf8"), list: () => [] };
      const settings = readKrb5Settings([kdc.krb5Conf], files);
      const logIn = () => keytabLogin({ keytab: readFileSync(path), path, principal, settings }, means);
      return await tokenRenewer({ name: "kindling", logIn, conf, fileSystems, means }).tokensIn(
        credentialsFile(tokens),
      );
    }

    /** What the name node answers to somebody who shows this token. */
    async function home(token: HadoopToken): Promise<string> {
      const url = `${hadoop.hdfs.endpoint}/webhdfs/v1/?op=GETHOMEDIRECTORY&delegation=${tokenText(token)}`;
      const agent = new Agent({ ca: authority.cert });
      return await new Promise((resolve, reject) => {
        httpsRequest(url, { agent }, (answer) => void text(answer).then(resolve, reject))
          .on("error", reject)
          .end();
      });
    }

    it("hands out tokens to those who trust its certificate, also by its name service and by swebhdfs", async () => {
      const trusting = meansWith([authority.cert]);
      const [token] = await tokensOfAlice("kindling", trusting);
      if (token === undefined) throw new Error("no token");
      expect(await home(token)).toBe('{"Path":"/user/alice"}');
      const web = `localhost:${hadoop.hdfs.webPort}`;
      const named = {
        "dfs.nameservices": "ns1",
        "dfs.ha.namenodes.ns1": "nn1",
        "dfs.http.policy": "HTTPS_ONLY",
        "dfs.namenode.https-address.ns1.nn1": web,
      };
      expect(await tokensOfAlice("kindling", trusting, { ...named, "fs.defaultFS": "hdfs://ns1" })).toMatchObject([
        { kind: "HDFS_DELEGATION_TOKEN", service: "ha-hdfs:ns1" },
      ]);
      expect(await tokensOfAlice("kindling", trusting, { "fs.defaultFS": `swebhdfs://${web}` })).toMatchObject([
        { kind: "SWEBHDFS delegation", service: `127.0.0.1:${hadoop.hdfs.webPort}` },
      ]);
    });

    it("others learn in one line what to do", async () => {
      const error = await caught(tokensOfAlice("kindling", meansWith([testAuthority("another").cert])));
      const { rpcPort, webPort } = hadoop.hdfs;
      expect(error).toMatchObject({
        code: "TOKEN_REFUSED",
        message: `no name node of hdfs://localhost:${rpcPort} gives a delegation token: https://localhost:${webPort}: the server's certificate is signed by an unknown authority`,
        hint: "trust its authority: name a trust store in ssl-client.xml (ssl.client.truststore.location), or a file in PEM in NODE_EXTRA_CA_CERTS",
      });
    });

    it("takes a token that its renewer renews beyond the interval, and refuses one that nobody renews", async () => {
      const means = meansWith([authority.cert]);
      const [kept] = await tokensOfAlice("kindling", means);
      const [left] = await tokensOfAlice("kindling", means);
      if (kept === undefined || left === undefined) throw new Error("no token");
      const [renewal] = await renewable("kindling", [kept], means);
      if (renewal === undefined) throw new Error("the token is not known");
      let last = 0;
      const patience = { interval: 1000, timeout: 30_000 };
      await eventually(async () => {
        const renewed = await renewal.renew();
        last = "until" in renewed ? renewed.until : 0;
        expect(await home(left)).toContain("has expired");
      }, patience);
      // Several intervals later, it is still good; then its own life ends.
      await eventually(
        async () => {
          const renewed = await renewal.renew();
          last = "until" in renewed ? renewed.until : 0;
          expect(await home(kept)).toBe('{"Path":"/user/alice"}');
          expect(last).toBe(renewal.maxDate);
        },
        { interval: 1000, timeout: 60_000 },
      );
      expect(renewal.maxDate - Date.now()).toBeLessThan(INTERVAL_MS + 1000);
    }, 120_000);

    it("lets nobody but the renewer renew a token", async () => {
      const means = meansWith([authority.cert]);
      const tokens = await tokensOfAlice("kindling", means);
      const [token] = await renewable("mallory", tokens, means);
      expect(await token?.renew()).toEqual({
        refused: expect.stringContaining("mallory tries to renew a token") as string,
      });
      expect(await renewable("kindling", await tokensOfAlice("alice", means), means)).toEqual([]);
    });
  },
);
