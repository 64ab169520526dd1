import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { recordedEventLog } from "../../src/index.ts";
import { driverPodWith } from "../../src/testing/pods-with.ts";

const RECORD = {
  "spark.kindling.eventLog": "record",
  "spark.kindling.eventLog.uri": "https://kindling-recorder.kindling.svc:8080",
  "spark.kindling.localizer.image": "kindling/localizer:1",
};

/** A secret that names its place. */
const secret = (place: string): string => `Hx7-${place}-9qZ`;

const SPARK_PROPERTIES: Readonly<Record<string, string>> = {
  "spark.app.name": "daily",
  "spark.hadoop.fs.azure.account.key.jobs.dfs.core.windows.net": secret("account-key"),
  "spark.hadoop.fs.azure.sas.input.jobs.blob.core.windows.net": secret("sas"),
  "spark.hadoop.fs.azure.sas.fixed.token": secret("sas-token"),
  "spark.hadoop.fs.azure.account.oauth2.client.secret": secret("client-secret"),
  "spark.hadoop.fs.s3a.access.key": secret("access-key"),
  "spark.hadoop.fs.s3a.secret.key": secret("secret-key"),
  "spark.hadoop.fs.s3a.session.token": secret("session"),
  "spark.hadoop.fs.s3a.encryption.key": secret("encryption"),
  "spark.hadoop.fs.gs.auth.service.account.private.key": secret("private-key"),
  "spark.sql.catalog.polaris.credential": secret("credential"),
  "spark.my.passphrase": secret("passphrase"),
  "spark.kubernetes.driverEnv.API_KEY": secret("api-key"),
  "spark.my.orders": `jdbc:postgresql://host/orders?user=app&password=${secret("postgres")}`,
  "spark.my.bills": `jdbc:mysql://app:${secret("mysql")}@host:3306/bills`,
  "spark.my.staff": `jdbc:oracle:thin:app/${secret("oracle")}@host:1521/x`,
  "spark.my.hub": `Endpoint=sb://x.example/;SharedAccessKeyName=root;SharedAccessKey=${secret("hub")}`,
  "spark.my.input": `wasbs://in@jobs.blob.core.windows.net/a?sv=2024&sig=${secret("signature")}`,
};

const ORDINARY: Readonly<Record<string, string>> = {
  "spark.app.name": "daily",
  "spark.jars": "local:///opt/spark/jars/a.jar,s3a://bucket/b.jar",
  "spark.driver.host": "daily-driver-svc.spark-jobs.svc",
  "spark.sql.warehouse.dir": "abfss://lake@jobs.dfs.core.windows.net/warehouse",
  "spark.my.plain": "jdbc:postgresql://host:5432/orders",
  "spark.master": "k8s://https://10.0.0.1:6443",
};

/** The environment as Spark writes it into its event log (EventLoggingListener.redactEvent, Utils.redact). */
function environment(pattern: string, tables: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const regex = new RegExp(pattern.replace("(?i)", ""), "i");
  const hidden = Object.entries(tables).map(([name, entries]) => [
    name,
    Object.fromEntries(
      Object.entries(entries).map(([key, value]) => [
        key,
        regex.test(key) || regex.test(value) ? "*********(redacted)" : value,
      ]),
    ),
  ]);
  return JSON.stringify({ Event: "SparkListenerEnvironmentUpdate", ...Object.fromEntries(hidden) });
}

function patternOf(conf: Readonly<Record<string, string>>): string {
  const { sparkConf } = driverPodWith(recordedEventLog, { sparkVersion: "4.3.0", conf: { ...RECORD, ...conf } });
  return sparkConf["spark.redaction.regex"] ?? "";
}

test("no secret of the environment is left in an event log that is kept", () => {
  const command = `org.apache.spark.deploy.SparkSubmit ${Object.entries(SPARK_PROPERTIES)
    .map((entry) => `--conf ${entry.join("=")}`)
    .join(" ")}`;
  const hadoop = Object.fromEntries(
    Object.entries(SPARK_PROPERTIES).map(([key, value]) => [key.replace(/^spark\.hadoop\./, ""), value]),
  );
  const written = environment(patternOf({}), {
    "Spark Properties": SPARK_PROPERTIES,
    "Hadoop Properties": hadoop,
    "System Properties": { "sun.java.command": command, ...SPARK_PROPERTIES },
  });
  expect(written.match(/Hx7-[\w-]+-9qZ/g) ?? []).toEqual([]);
  expect(written).toContain('"spark.app.name":"daily"');
});

test("all is hidden that Spark hides by default", () => {
  const file = new URL("../../src/keys/spark-defaults.json", import.meta.url);
  const defaults = JSON.parse(readFileSync(file, "utf8")) as Record<string, Record<string, string>>;
  const wordsOf = (pattern: string): readonly string[] => pattern.replace("(?i)", "").split("|");
  const words = Object.values(defaults).flatMap((ofVersion) => wordsOf(ofVersion["spark.redaction.regex"] ?? "secret"));
  expect(words).toContain("credential");
  expect(wordsOf(patternOf({}))).toEqual(expect.arrayContaining(words));
});

test("what is no secret is left as it is", () => {
  expect(JSON.parse(environment(patternOf({}), { "Spark Properties": ORDINARY }))).toMatchObject({
    "Spark Properties": ORDINARY,
  });
});

test("a pattern of the application's own stays", () => {
  expect(patternOf({ "spark.redaction.regex": "(?i)mine" })).toBe("(?i)mine");
});
