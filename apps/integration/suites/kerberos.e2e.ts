import { join } from "node:path";
import { parseCredentialsFile, tokenIdentifier } from "@kindling/kerberos";
import { resources } from "@kindling/kube";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { secureHadoop, type SecureHadoop } from "@kindling/test-kit/secure-hadoop";
import { hasSecureHdfs } from "@kindling/test-kit/secure-hdfs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APP_DIR, prepareApplications, WORD_COUNTS, type Fixtures } from "../clusters/applications.ts";
import { GATEWAY_HOST, TestGateway } from "../clusters/gateway.ts";
import { kindling, submissionIdIn } from "../clusters/kindling.ts";
import { realSparkSubmit, runToEnd } from "../clusters/spark-submit.ts";
import { submittedObjects, type SubmittedObjects } from "../clusters/submitted-objects.ts";
import { SPARK_VERSIONS, TRIED_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const isPossible = hasSecureHdfs && GATEWAY_HOST !== undefined;
const host = GATEWAY_HOST ?? "";

/** What a submission of alice needs, in its environment and in its configuration. */
function ofAlice(hadoop: SecureHadoop): {
  readonly env: Readonly<Record<string, string>>;
  readonly conf: readonly string[];
} {
  const configuration = scratchFolder().path;
  hadoop.writeSites(configuration);
  const { krb5Conf } = hadoop.kdc;
  const env = { HADOOP_CONF_DIR: configuration, KRB5_CONFIG: krb5Conf, KRB5CCNAME: `FILE:${hadoop.login()}` };
  return { env, conf: ["--conf", `spark.kubernetes.kerberos.krb5.path=${krb5Conf}`] };
}

describe.skipIf(!isPossible)("a real KDC and an HDFS that asks for tickets", () => {
  const hadoop = secureHadoop({ host });

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
      const { env, conf } = ofAlice(hadoop);
      const application = [`local://${APP_DIR}/hdfs-words.py`, `/user/alice/${version}`, `${APP_DIR}/text.txt`];
      const ended = await kindling(["submit", ...fixtures.flags, ...conf, "--logs", ...application], env);
      expect(ended.exit, `${ended.err}${ended.out.slice(-4000)}`).toBe(0);
      const lines = ended.out.split("\n");
      expect(lines.filter((line) => line.startsWith("COUNT "))).toEqual(WORD_COUNTS);
      expect(lines).toContain("USER alice");
      await namespace.deleteApplication(submissionIdIn(ended.err).split(":")[1] ?? "");
    });

    const sparkSubmit = realSparkSubmit(version);
    test.skipIf(sparkSubmit === undefined)("the objects are those of the real spark-submit with a ticket", async () => {
      const { env, conf } = ofAlice(hadoop);
      const keys = {
        // The drivers stay as they were submitted.
        "spark.kubernetes.driver.node.selector.kindling-test": "nowhere",
        "spark.kubernetes.submission.waitAppCompletion": "false",
        // What Spark does not do.
        "spark.kindling.kerberos.executors": "false",
      };
      const flags = [
        ...["--master", `k8s://${namespace.client.access.server}`, "--deploy-mode", "cluster"],
        ...[...fixtures.flags, ...conf],
        ...Object.entries(keys).flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
      ];
      const application = [`local://${APP_DIR}/hdfs-words.py`, "/user/alice/x"];
      const java = { SPARK_SUBMIT_OPTS: `-Djava.security.krb5.conf=${hadoop.kdc.krb5Conf}` };
      const real = await runToEnd(sparkSubmit ?? "", [...flags, "--name", "real", ...application], { ...env, ...java });
      expect(real.exit, real.err).toBe(0);
      const ours = await kindling(["submit", ...flags, "--name", "ours", ...application], env);
      expect(ours.exit, ours.err).toBe(0);
      const known = new Set(["applications"]);
      const found = async (name: string): Promise<SubmittedObjects> =>
        await submittedObjects(namespace.client, { name, ours: known });
      const [theirs, made] = [await found("real"), await found("ours")];
      expect(Object.keys(theirs)).toContain("Secret PREFIX-delegation-tokens");
      expect(withoutTokens(made)).toEqual(withoutTokens(theirs));
      const tokens = await tokensIn(namespace);
      expect(tokens["ours"]).toEqual({ ...tokens["real"], owner: "alice" });
      // The one difference, since a name node's web server has mapped the name before it writes it.
      expect(tokens["real"]?.owner).toBe(`alice@${hadoop.kdc.realm}`);
    });
  });
});

/** The bytes of the tokens differ, and the name that is in texts for people. */
function withoutTokens(objects: SubmittedObjects): unknown {
  const text = JSON.stringify(objects).replaceAll(/"hadoop-tokens":"[^"]+"/g, '"hadoop-tokens":"TOKENS"');
  return JSON.parse(text.replaceAll(/\b(?:real|ours)\b/g, "NAME")) as unknown;
}

interface Token {
  readonly kind: string;
  readonly service: string;
  readonly owner: string | undefined;
  readonly renewer: string | undefined;
}

/** What the tokens say that two submissions have got. */
async function tokensIn({ client }: TestNamespace): Promise<Readonly<Record<string, Token>>> {
  const { items } = await client.listAll(resources.secrets);
  return Object.fromEntries(
    items.flatMap(({ metadata, data }) => {
      const file = data?.["hadoop-tokens"];
      const [token] = file === undefined ? [] : parseCredentialsFile(Buffer.from(file, "base64"));
      if (token === undefined) return [];
      const { owner, renewer } = tokenIdentifier(token) ?? {};
      const name = metadata?.name?.split("-")[0] ?? "";
      return [[name, { kind: token.kind, service: token.service, owner, renewer }]];
    }),
  );
}

describe.skipIf(!isPossible)("an HDFS whose tokens end after half a minute unless they are renewed", () => {
  const hadoop = secureHadoop({ host, properties: { "dfs.namenode.delegation.token.renew-interval": "30000" } });
  const version = SPARK_VERSIONS.at(-1) ?? "";
  let namespace: TestNamespace;
  let fixtures: Fixtures;
  let gateway: TestGateway;

  beforeAll(async () => {
    namespace = await TestNamespace.create("token-renewal");
    fixtures = await prepareApplications(namespace, version);
    hadoop.writeSites(join(fixtures.folder, "hadoop"));
    const settings = {
      "kerberos-keytab": hadoop.kdc.addServices("kindling"),
      "kerberos-principal": "kindling",
      "kerberos-krb5-conf": hadoop.kdc.krb5Conf,
      "kerberos-hadoop-conf": join(fixtures.folder, "hadoop"),
    };
    gateway = await TestGateway.start(namespace, host, { settings });
  });
  afterAll(async () => {
    await gateway.stop();
    fixtures.remove();
    await namespace.remove();
  });

  test("driver and executors read for several times as long, if the gateway may renew, and fail otherwise", async () => {
    const run = async (...more: readonly string[]) => {
      const { env, conf } = ofAlice(hadoop);
      const brief = ["--conf", "spark.hadoop.ipc.client.connection.maxidletime=1000"];
      const flags = [...fixtures.flags, ...gateway.flags, ...conf, ...brief, ...more];
      const application = [`local://${APP_DIR}/hdfs-reads.py`, `/user/alice/${more.length}`, "150"];
      return await kindling(["submit", ...flags, "--logs", ...application], env);
    };
    const [renewed, left] = await Promise.all([run("--conf", "spark.kindling.kerberos.renewer=kindling"), run()]);
    expect(renewed.exit, `${renewed.err}${renewed.out.slice(-4000)}`).toBe(0);
    expect(renewed.out).toContain("READ to the end");
    expect(await gateway.metric('gateway_token_renewals_total{outcome="renewed"}')).toBeGreaterThan(3);
    expect(left.exit).not.toBe(0);
    expect(left.out).not.toContain("READ to the end");
    expect(`${left.err}${left.out.slice(-20_000)}`).toMatch(/InvalidToken[^]* expired/);
  }, 600_000);
});
