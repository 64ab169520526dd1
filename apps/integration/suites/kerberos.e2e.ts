import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startKdc, type Kdc } from "@kindling/test-kit/kdc";
import { hasSecureHdfs, startSecureHdfs, type SecureHdfs } from "@kindling/test-kit/secure-hdfs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APP_DIR, prepareApplications, WORD_COUNTS, type Fixtures } from "../clusters/applications.ts";
import { GATEWAY_HOST } from "../clusters/gateway.ts";
import { kindling, submissionIdIn } from "../clusters/kindling.ts";
import { TRIED_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const property = (name: string, value: string): string =>
  `<property><name>${name}</name><value>${value}</value></property>`;
const site = (...properties: readonly string[]): string => `<configuration>${properties.join("")}</configuration>`;

describe.skipIf(!hasSecureHdfs || GATEWAY_HOST === undefined)("a real KDC and an HDFS that asks for tickets", () => {
  const host = GATEWAY_HOST ?? "";
  const folder = mkdtempSync(join(tmpdir(), "kindling-e2e-kerberos-"));
  const configuration = join(folder, "conf");
  let kdc: Kdc;
  let hdfs: SecureHdfs;

  beforeAll(async () => {
    kdc = await startKdc(folder);
    kdc.addUser("alice", "secret");
    hdfs = await startSecureHdfs(join(folder, "hdfs"), kdc, host);
    mkdirSync(configuration);
    writeFileSync(
      join(configuration, "core-site.xml"),
      site(
        property("hadoop.security.authentication", "kerberos"),
        property("fs.defaultFS", `hdfs://${host}:${hdfs.rpcPort}`),
      ),
    );
    writeFileSync(
      join(configuration, "hdfs-site.xml"),
      site(
        property("dfs.namenode.http-address", `${host}:${hdfs.httpPort}`),
        property("dfs.namenode.kerberos.principal", `hdfs/${host}@${kdc.realm}`),
      ),
    );
  });
  afterAll(async () => {
    await hdfs?.stop();
    await kdc?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describe.each(TRIED_VERSIONS)("with Spark %s", (version) => {
    let namespace: TestNamespace;
    let fixtures: Fixtures;

    beforeAll(async () => {
      namespace = await TestNamespace.create(`kerberos-${version.replaceAll(".", "-")}`);
      fixtures = await prepareApplications(namespace, version);
    });
    afterAll(async () => {
      fixtures.remove();
      await namespace.remove();
    });

    test("driver and executors write and read files of the ticket's user, with tokens that no JVM has fetched", async () => {
      const env = {
        HADOOP_CONF_DIR: configuration,
        KRB5_CONFIG: kdc.krb5Conf,
        KRB5CCNAME: `FILE:${kdc.login("alice", "secret")}`,
      };
      const application = [`local://${APP_DIR}/hdfs-words.py`, `/user/alice/${version}`, `${APP_DIR}/text.txt`];
      const krb5 = ["--conf", `spark.kubernetes.kerberos.krb5.path=${kdc.krb5Conf}`];
      const ended = await kindling(["submit", ...fixtures.flags, ...krb5, "--logs", ...application], env);
      expect(ended.exit, `${ended.err}${ended.out.slice(-4000)}`).toBe(0);
      const lines = ended.out.split("\n");
      expect(lines.filter((line) => line.startsWith("COUNT "))).toEqual(WORD_COUNTS);
      expect(lines).toContain("USER alice");
      await namespace.deleteApplication(submissionIdIn(ended.err).split(":")[1] ?? "");
    });
  });
});
