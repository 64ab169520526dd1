import { createRedactor } from "@kindling/core-spec";
import { caught } from "@kindling/test-kit/caught";
import { hadoopSite } from "@kindling/test-kit/hadoop-site";
import { TOKEN_FILE } from "@kindling/test-kit/hadoop-token-file";
import { scratchFolder, type ScratchFolder } from "@kindling/test-kit/scratch-folder";
import { aTicketCache } from "@kindling/test-kit/ticket-cache-bytes";
import { userInfo } from "node:os";
import { describe, expect, test } from "vitest";
import { gather, type Connection, type PlanInput, type SubmitRequest } from "../../src/index.ts";
import { stillOutside } from "../fixtures/outside.ts";

// The tests' clock stands at the first of January 2026.
const LATER = Date.UTC(2026, 0, 1, 10);
const EARLIER = Date.UTC(2025, 11, 31, 23, 30);

const SECURE = { "hadoop.security.authentication": "kerberos", "fs.defaultFS": "hdfs://nn.example.com:8020" };
const KRB5_CONF = "[libdefaults]\ndefault_realm = EXAMPLE.COM\ndns_lookup_kdc = false\n";

/** A machine with a user alice who has a ticket, and with a secure Hadoop. */
function machine(files: Readonly<Record<string, string | Uint8Array>> = {}): ScratchFolder {
  return scratchFolder({
    "hadoop/core-site.xml": hadoopSite(SECURE),
    "krb5.conf": KRB5_CONF,
    cache: aTicketCache(LATER),
    ...files,
  });
}

const KRB5_FOR_PODS = { "spark.kubernetes.kerberos.krb5.configMapName": "krb5" };

interface Run {
  readonly conf?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly request?: Partial<SubmitRequest>;
  readonly connection?: Connection;
  /** What gives the driver its krb5.conf. Default: a ConfigMap. */
  readonly krb5?: Readonly<Record<string, string>>;
}

async function gathered(
  { path }: ScratchFolder,
  { conf = {}, env = {}, request = {}, connection = { kind: "none" }, krb5 = KRB5_FOR_PODS }: Run = {},
): Promise<PlanInput> {
  const outside = stillOutside(
    {
      HADOOP_CONF_DIR: `${path}/hadoop`,
      KRB5_CONFIG: `${path}/krb5.conf`,
      KRB5CCNAME: `FILE:${path}/cache`,
      ...env,
    },
    path,
  );
  const complete: SubmitRequest = {
    master: "k8s://http://127.0.0.1:1",
    application: { resource: "local:///app.py" },
    ...request,
    conf: { "spark.kubernetes.container.image": "spark:4.3.0", ...krb5, ...conf },
  };
  const options = { connection, secrets: createRedactor(), installations: () => Promise.resolve(undefined) };
  return (await gather(complete, outside, "this-machine", options)).input;
}

const principalOf = ({ entries }: PlanInput): string | undefined =>
  entries["spark.hadoop.yarn.resourcemanager.principal"];

describe("the user", () => {
  test("is the ticket's, whatever HADOOP_USER_NAME says", async () => {
    const input = await gathered(machine(), { env: { HADOOP_USER_NAME: "other" } });
    expect([input.user, principalOf(input)]).toEqual(["alice", "alice"]);
  });

  test("is the proxy user, and SPARK_USER is Spark's own matter", async () => {
    const input = await gathered(machine(), { request: { proxyUser: "bob" }, env: { SPARK_USER: "carol" } });
    expect([input.user, principalOf(input)]).toEqual(["carol", "bob"]);
  });

  test("is made by the rules of auth_to_local", async () => {
    const rules = { "hadoop.security.auth_to_local": "RULE:[1:$1@$0](.*@EXAMPLE\\.COM)s/@.*/-x/ DEFAULT" };
    const folder = machine({ "hadoop/core-site.xml": hadoopSite({ ...SECURE, ...rules }) });
    expect((await gathered(folder)).user).toBe("alice-x");
  });

  test("is the system's without a ticket", async () => {
    const optional = { "spark.kindling.kerberos.tokens": "optional" };
    const input = await gathered(machine(), {
      conf: optional,
      env: { KRB5CCNAME: "/none", HADOOP_USER_NAME: "other" },
    });
    expect([input.user, principalOf(input)]).toEqual([userInfo().username, userInfo().username]);
    expect(input.notices).toEqual([
      "no delegation tokens of Hadoop are handed to the driver: there is no Kerberos ticket: the ticket cache /none does not exist",
    ]);
  });
});

describe("a submission that needs tokens and cannot get them ends", () => {
  const optional = "spark.kindling.kerberos.tokens=optional submits without tokens";

  test.each<[string, Run, string, string]>([
    [
      "without a ticket",
      { env: { KRB5CCNAME: "FILE:/none" } },
      "there is no Kerberos ticket: the ticket cache /none does not exist",
      "get a ticket with kinit, or set KRB5CCNAME to the cache",
    ],
    [
      "with a cache that is in no file",
      { env: { KRB5CCNAME: "KCM:" } },
      "KRB5CCNAME: a ticket cache of the kind KCM cannot be read",
      `put a ticket into a file: kinit -c FILE:/tmp/krb5cc_${process.getuid?.()}, and set KRB5CCNAME to the same`,
    ],
    [
      "if no KDC is known",
      { connection: { kind: "kubeconfig" } },
      "krb5.conf names no KDC of the realm EXAMPLE.COM",
      "name a kdc of EXAMPLE.COM under [realms] in krb5.conf",
    ],
  ])("%s", async (_, run, message, hint) => {
    const error = await caught(gathered(machine(), run));
    expect(error).toMatchObject({ code: "KERBEROS_FAILED", message, hint: `${hint}; ${optional}` });
  });

  test("with a ticket that has ended, at its time", async () => {
    const folder = machine({ cache: aTicketCache(EARLIER) });
    expect((await caught(gathered(folder))).message).toBe(
      `the Kerberos ticket of alice@EXAMPLE.COM in ${folder.path}/cache ended at 2025-12-31T23:30:00.000Z`,
    );
  });

  test("if the KDC is away", async () => {
    const folder = machine({ "krb5.conf": `${KRB5_CONF}[realms]\nEXAMPLE.COM = {\n kdc = 127.0.0.1:1\n}\n` });
    expect(await caught(gathered(folder, { connection: { kind: "kubeconfig" } }))).toMatchObject({
      code: "KDC_UNREACHABLE",
      message: "no KDC of the realm EXAMPLE.COM answers: 127.0.0.1:1 refuses the connection",
    });
  });
});

describe("tokens are not fetched", () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ["with a keytab", { "spark.kerberos.keytab": "local:///me.keytab", "spark.kerberos.principal": "alice" }],
    [
      "with a Secret of tokens",
      {
        "spark.kubernetes.kerberos.tokenSecret.name": "tokens",
        "spark.kubernetes.kerberos.tokenSecret.itemKey": "hadoop-tokens",
      },
    ],
    ["if none are wanted", { "spark.kindling.kerberos.tokens": "none" }],
    ["if Spark is told to fetch none", { "spark.security.credentials.hadoopfs.enabled": "false" }],
    ["by the older name of that key", { "spark.yarn.security.credentials.hadoopfs.enabled": "false" }],
    // As in Spark on MR3's own guide: the file system of pods is a local one.
    ["if no file system has any", { "spark.hadoop.fs.defaultFS": "file:///" }],
  ])("%s, and no ticket is needed", async (_, conf) => {
    const input = await gathered(machine(), { conf, env: { KRB5CCNAME: "/none" }, connection: { kind: "kubeconfig" } });
    expect(input.delegationTokens).toBeUndefined();
    expect(input.notices).toEqual([]);
  });

  test("without Hadoop's security, and not for a comment about it", async () => {
    const site = `<configuration><!-- ${hadoopSite(SECURE)} --><property><name>hadoop.security.authentication</name><value>simple</value></property><property><name>x</name><value>kerberos</value></property></configuration>`;
    const input = await gathered(machine({ "hadoop/core-site.xml": site }), { env: { HADOOP_USER_NAME: "other" } });
    expect([input.user, principalOf(input), input.delegationTokens]).toEqual(["other", undefined, undefined]);
  });
});

describe("pods without a krb5.conf", () => {
  const none = { connection: { kind: "kubeconfig" }, env: { KRB5CCNAME: "/none" } } as const;
  const words =
    "Hadoop's security is on, and the driver gets no krb5.conf: unless its image or pod template has one, it ends with \"Can't get Kerberos realm\". Set spark.kubernetes.kerberos.krb5.path=/etc/krb5.conf, or spark.kubernetes.kerberos.krb5.configMapName";

  test.each<[string, Readonly<Record<string, string>>]>([
    ["with tokens", { "spark.kindling.kerberos.tokens": "none" }],
    ["with a keytab", { "spark.kerberos.keytab": "local:///me.keytab", "spark.kerberos.principal": "alice" }],
  ])("are told, %s", async (_, conf) => {
    expect((await gathered(machine(), { ...none, conf, krb5: {} })).notices).toEqual([words]);
  });

  test.each([
    ["a file", { "spark.kubernetes.kerberos.krb5.path": "krb5.conf" }],
    ["another place in the driver's options", { "spark.driver.extraJavaOptions": "-Djava.security.krb5.conf=/opt/k" }],
  ])("are not, if there is %s", async (_, conf) => {
    const all = { ...conf, "spark.kindling.kerberos.tokens": "none" };
    expect((await gathered(machine(), { ...none, conf: all, krb5: {} })).notices).toEqual([]);
  });
});

test("a plan that is only shown has something else in the tokens' place", async () => {
  const { delegationTokens = "" } = await gathered(machine());
  expect(Buffer.from(delegationTokens, "base64").toString()).toBe("<delegation tokens>");
});

test("tokens of other kinds, which are not fetched, are told", async () => {
  const folder = machine({
    "hadoop/hive-site.xml": hadoopSite({ "hive.metastore.uris": "thrift://hms:9083" }),
    "hadoop/hbase-site.xml": hadoopSite({ "hbase.security.authentication": "kerberos" }),
  });
  const conf = {
    "spark.kerberos.access.hadoopFileSystems": "ofs://ozone1, hdfs://far.example.com",
    "spark.kafka.clusters.c1.auth.bootstrap.servers": "k:9092",
    "spark.hadoop.dfs.encryption.key.provider.uri": "kms://http@kms:9600/kms",
  };
  const of = (notices: readonly string[]): (string | undefined)[] =>
    notices.map((notice) => /^delegation tokens of (.*) are not fetched here; .*tokenSecret\.name$/.exec(notice)?.[1]);
  expect(of((await gathered(folder, { conf })).notices)).toEqual([
    "ofs://ozone1",
    "Hive's metastore",
    "HBase",
    "Kafka",
    "the key server",
  ]);
  const off = {
    ...conf,
    "spark.security.credentials.hive.enabled": "false",
    "spark.yarn.security.tokens.hbase.enabled": "false",
  };
  expect(of((await gathered(folder, { conf: off })).notices)).toEqual(["ofs://ozone1", "Kafka", "the key server"]);
});

describe("tokens that the user has already", () => {
  const file = { "tokens.bin": TOKEN_FILE };
  const away = { connection: { kind: "kubeconfig" } } as const;

  test("are handed on without a ticket, and the others are not missed", async () => {
    const folder = machine(file);
    const env = { HADOOP_TOKEN_FILE_LOCATION: `${folder.path}/tokens.bin`, KRB5CCNAME: "/none" };
    const input = await gathered(folder, { ...away, env });
    expect(input.delegationTokens).toBe(TOKEN_FILE.toString("base64"));
    expect(input.notices).toEqual([
      "only the tokens of HADOOP_TOKEN_FILE_LOCATION are handed to the driver: there is no Kerberos ticket: the ticket cache /none does not exist",
    ]);
  });

  test("are handed on if none are to be fetched, and not beside a keytab", async () => {
    const folder = machine(file);
    const env = { HADOOP_TOKEN_FILE_LOCATION: `${folder.path}/tokens.bin` };
    const none = { "spark.kindling.kerberos.tokens": "none" };
    expect((await gathered(folder, { ...away, env, conf: none })).delegationTokens).toBe(TOKEN_FILE.toString("base64"));
    const keytab = { "spark.kerberos.keytab": "local:///me.keytab", "spark.kerberos.principal": "alice" };
    expect((await gathered(folder, { ...away, env, conf: keytab })).delegationTokens).toBeUndefined();
  });

  test("must be there if they are named", async () => {
    const env = { HADOOP_TOKEN_FILE_LOCATION: "/none" };
    expect(await caught(gathered(machine(), { env }))).toMatchObject({
      code: "FILE_UNREADABLE",
      message: "HADOOP_TOKEN_FILE_LOCATION: /none: it does not exist",
    });
  });
});
