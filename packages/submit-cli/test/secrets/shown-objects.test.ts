import { beforeEach, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { kindling, type Finished } from "../fixtures/kindling-process.ts";
import { scratchFolder, type ScratchFolder } from "@kindling/test-kit/scratch-folder";
import { APP, conf, flagsFor } from "../fixtures/submission.ts";

const SECRET = "hunter2-Xq7";

/** Nothing listens there: a command that only shows objects asks nobody. */
const cluster = { url: "http://127.0.0.1:1" };
const FORMS = [SECRET, Buffer.from(SECRET).toString("base64"), encodeURIComponent("hunter2-Xq7")];

/** The ways in which a secret can get into the objects of a submission. */
const FLAGS: readonly string[] = conf({
  "spark.kubernetes.authenticate.driver.oauthToken": SECRET,
  "spark.hadoop.fs.s3a.secret.key": SECRET,
  "spark.kubernetes.driverEnv.DB_PASSWORD": SECRET,
  "spark.executorEnv.DB_PASSWORD": SECRET,
  "spark.kubernetes.driver.label.api-token": SECRET,
  "spark.kubernetes.driver.annotation.example.org/api-token": SECRET,
  "spark.kubernetes.executor.annotation.example.org/api-token": SECRET,
  "spark.kubernetes.driver.service.annotation.my-password": SECRET,
  "spark.kubernetes.driver.annotation.note": `the password is not ${SECRET}, is it`,
  "spark.redaction.regex": "(?i)private-thing",
  "spark.kubernetes.driver.annotation.private-thing": SECRET,
  "spark.driver.extraJavaOptions": `-Ddb.password=${SECRET}`,
});

const ARGUMENTS = ["--password", SECRET, `--token=${SECRET}`, `{"secret": "${SECRET}"}`, `https://app:${SECRET}@host/`];

let folder: ScratchFolder;
let flags: string[];

beforeEach(() => {
  folder = scratchFolder();
  const template = {
    metadata: { labels: { "my-token": SECRET }, annotations: { "my-token": SECRET } },
    spec: {
      initContainers: [
        { name: "i", image: "i", args: ["--password", SECRET], env: [{ name: "TOKEN", value: SECRET }] },
      ],
      containers: [{ name: "c", image: "i", env: [{ name: "MY_SECRET", value: SECRET }] }],
    },
  };
  folder.write("template.yaml", JSON.stringify(template));
  folder.write("conf/core-site.xml", `<p><name>fs.x.secret.key</name><value>${SECRET}</value></p>`);
  folder.write("conf/metrics.properties", `*.sink.x.password=\\\n ${SECRET}\n`);
  folder.write("conf/run.sh", `export API_KEY="${SECRET}"\n`);
  flags = [
    ...flagsFor(cluster),
    ...FLAGS,
    ...conf({
      "spark.kubernetes.driver.podTemplateFile": `${folder.path}/template.yaml`,
      "spark.kubernetes.executor.podTemplateFile": `${folder.path}/template.yaml`,
    }),
  ];
});

function shown(command: readonly string[], ...more: string[]): Promise<Finished> {
  const env = { SPARK_CONF_DIR: `${folder.path}/conf`, HADOOP_CONF_DIR: `${folder.path}/conf` };
  return kindling([...command, ...flags, ...more, ...APP, ...ARGUMENTS], { env });
}

const COMMANDS: [string, string[]][] = [
  ["submit --dry-run", ["submit", "--dry-run"]],
  ["submit --dry-run --executor", ["submit", "--dry-run", "--executor"]],
  ["explain", ["explain"]],
  ["explain --executor", ["explain", "--executor"]],
];

describe.each(COMMANDS)("%s", (_, command) => {
  test.each(["yaml", "json"])("shows no secret as %s, and says so", async (format) => {
    const { code, stdout, stderr } = await shown(command, "-o", format);
    expect({ code, secrets: FORMS.filter((form) => (stdout + stderr).includes(form)) }).toEqual({
      code: 0,
      secrets: [],
    });
    expect(stderr).toContain("note: secrets are not shown, --show-secrets shows them\n");
    expect(stdout).toContain("apache/spark:4.3.0");
    expect(stdout).toContain("spark-jobs");
    // Throws for invalid texts.
    if (format === "json") JSON.parse(stdout);
  });

  test("shows them all where it is asked to, and says so before", async () => {
    const yaml = await shown(command, "--show-secrets", "-o", "yaml");
    expect(yaml.stdout).toMatch(/^# With secrets, as --show-secrets asks: do not pass this on\.\n/);
    expect(yaml.stdout).toContain(SECRET);
    expect(yaml.stdout).not.toContain("(redacted)");
    expect(parseAllDocuments(yaml.stdout, { version: "1.1" }).flatMap(({ errors }) => errors)).toEqual([]);
    const json = await shown(command, "--show-secrets", "-o", "json");
    expect(json.stderr).toContain("note: With secrets, as --show-secrets asks: do not pass this on.\n");
    expect(JSON.stringify(JSON.parse(json.stdout))).toContain(SECRET);
  });
});

test("what names a secret and is none is shown", async () => {
  flags = [
    ...flagsFor(cluster),
    ...conf({
      "spark.kubernetes.driver.secrets.db-login": "/etc/db-login",
      "spark.kubernetes.driver.secretKeyRef.LOGIN": "db-login:password",
      "spark.kubernetes.container.image.pullSecrets": "registry-login",
      "spark.kubernetes.driver.label.team": "token-service",
    }),
  ];
  const { stdout } = await kindling(["submit", "--dry-run", "-o", "json", ...flags, ...APP]);
  for (const text of [
    '"secretName": "db-login"',
    '"mountPath": "/etc/db-login"',
    '"registry-login"',
    '"token-service"',
  ]) {
    expect(stdout).toContain(text);
  }
});

test.each(["(?s)private.*", "\\p{Alpha}*thing", "private++", "(unclosed"])(
  "a pattern that only Java can read (%s) hides every setting",
  async (pattern) => {
    const settings = conf({ "spark.redaction.regex": pattern, "spark.my.private-thing": SECRET });
    const { code, stdout } = await kindling(["submit", "--dry-run", ...flagsFor(cluster), ...settings, ...APP]);
    expect({ code, isShown: stdout.includes(SECRET) }).toEqual({ code: 0, isShown: false });
  },
);
