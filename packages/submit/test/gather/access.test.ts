import { isConfPrefix, isKindlingError, type KindlingError, type Step } from "@kindling/core-spec";
import { allKeys } from "@kindling/steps";
import { caught } from "@kindling/test-kit/caught";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { describe, expect, test } from "vitest";
import {
  gather,
  plan,
  submit,
  SUBMISSION_KEYS,
  type Access,
  type SubmissionPlan,
  type SubmitRequest,
} from "../../src/index.ts";
import { LOCAL_FILE_KEYS, URI_LIST_KEYS } from "../../src/gather/access.ts";
import { stillOutside } from "../fixtures/outside.ts";

const CANARY = "canary-of-this-machine";
const IMAGE = { "spark.kubernetes.container.image": "spark:4.3.0" };

/** A machine on which every readable file and variable contains the same word. */
function machine(): { readonly path: string; readonly env: Record<string, string> } {
  const { path } = scratchFolder({
    file: `{"kind": "Pod", "spec": {"containers": []}, "metadata": {"labels": {"x": "${CANARY}"}}}`,
    "app.py": CANARY,
    "home/.kube/config": `current-context: ${CANARY}`,
    "spark/conf/spark-defaults.conf": `spark.from.defaults ${CANARY}`,
    "spark/conf/spark-env.sh": `export SPARK_USER=${CANARY}`,
    "spark/conf/log4j2.properties": `a=${CANARY}`,
    "hadoop/core-site.xml": `<configuration>${CANARY}</configuration>`,
    "step.mjs": `throw new Error("${CANARY}");`,
  });
  const env = {
    ...{ SPARK_HOME: `${path}/spark`, SPARK_CONF_DIR: `${path}/spark/conf`, HADOOP_CONF_DIR: `${path}/hadoop` },
    ...{ HOME: `${path}/home`, KUBECONFIG: `${path}/home/.kube/config`, PATH: `${path}/bin` },
    ...{ SPARK_USER: CANARY, HADOOP_USER_NAME: CANARY, PYSPARK_PYTHON: CANARY, SPARK_LOCAL_DIRS: `/${CANARY}` },
    ...{ MASTER: `k8s://${CANARY}`, SPARK_DRIVER_MEMORY: CANARY, SPARK_SUBMIT_OPTS: `-Dspark.from.opts=${CANARY}` },
    ...{ KINDLING_SPARK_VERSION: CANARY, KINDLING_STAGING_TOKEN: CANARY, CANARY },
  };
  return { path, env };
}

async function planned(
  request: Partial<SubmitRequest>,
  { env = {}, access = "nothing", cwd = "/" }: { env?: Record<string, string>; access?: Access; cwd?: string } = {},
): Promise<SubmissionPlan> {
  const complete = { application: { resource: "local:///app.py" }, ...request, conf: { ...IMAGE, ...request.conf } };
  const { input, steps } = await gather(complete, stillOutside(env, cwd), access, { connection: { kind: "none" } });
  return plan(input, steps);
}

async function deniedBy(request: Partial<SubmitRequest>, env: Record<string, string> = {}): Promise<KindlingError> {
  const error = await caught(planned(request, { env }));
  expect(error).toMatchObject({ code: "ACCESS_DENIED", hint: expect.stringMatching(/\S/) });
  return error;
}

describe("where nothing of this machine may be read", () => {
  test("a submission of what the cluster has is planned as anywhere else", async () => {
    const { objects, application } = await planned({ name: "etl", namespace: "jobs", user: "jane" });
    expect(application).toMatchObject({ name: "etl", namespace: "jobs" });
    expect(objects.pod.spec?.containers?.[0]?.env).toContainEqual({ name: "SPARK_USER", value: "jane" });
  });

  test("environment, files that it names, and the system's user have no effect", async () => {
    const { env } = machine();
    const request = { application: { resource: "local:///app.py" } };
    const here = await planned(request, { env });
    const elsewhere = await planned(request, { env: {} });
    expect(here).toEqual(elsewhere);
    expect(JSON.stringify(here)).not.toContain(CANARY);
    const [container] = here.objects.pod.spec?.containers ?? [];
    expect(container?.env).toContainEqual({ name: "SPARK_USER", value: "spark" });
  });

  test("references to environment and system stay as they are", async () => {
    const values = ["env:CANARY", "env:HOME", "system:user.home", "system:user.dir", "system:java.io.tmpdir"];
    const conf = Object.fromEntries(values.map((name, i) => [`spark.kubernetes.driver.label.l${i}`, `\${${name}}`]));
    const { env, path } = machine();
    const { objects } = await planned({ conf }, { env, cwd: path });
    expect(JSON.stringify(objects)).not.toMatch(new RegExp(`${CANARY}|${path}`));
  });

  test.each(LOCAL_FILE_KEYS)("%s is refused", async (key) => {
    const { path, env } = machine();
    for (const value of [
      `${path}/file`,
      `file://${path}/file`,
      "file",
      "~/file",
      "${env:HOME}/file",
      "local:${env:HOME}",
    ]) {
      expect((await deniedBy({ conf: { [key]: value } }, env)).message).toContain(key);
    }
  });

  test("a keytab in the image is none of this machine", async () => {
    const conf = { "spark.kerberos.keytab": "local:///etc/keytab", "spark.kerberos.principal": "me" };
    await expect(planned({ conf })).resolves.toBeDefined();
  });

  test.each(URI_LIST_KEYS)("%s is refused where it names a file of this machine", async (key) => {
    const { path, env } = machine();
    for (const value of [
      `${path}/file`,
      `file:${path}/file`,
      "*.jar",
      `local:///a.jar,${path}/file`,
      "local:///a.jar, file",
      "${spark.my.path}",
      "local:${spark.my.path}",
      "s3a://bucket/not a uri",
    ]) {
      const conf = { [key]: value, "spark.my.path": `/a,${path}/file` };
      expect((await deniedBy({ conf }, env)).message).toContain(key);
    }
    const remote = "local:///a.jar,https://host/b.jar,s3a://bucket/c.jar";
    await expect(planned({ conf: { [key]: remote } }, { env })).resolves.toBeDefined();
  });

  test.each([
    ["s3a://{S3 BUCKET}/x", "the character {", "%7B"],
    ["s3a://bucket/not a uri", "a blank", "%20"],
    ["https://host/100%.jar", "a % without two hexadecimal digits behind it", "%25"],
    ["s3a://bucket/a\tb", "the character U+0009", "%09"],
    ["hdfs://nn/a\u00a0b", "the character U+00A0", "%C2%A0"],
    ["local:///../../etc/passw[d]", "the character [", "%5B"],
    ["local:///../../etc/*#a#b", "the character #", "%23"],
  ])("%j is told to be no URI, as it has %s", async (uri, character, written) => {
    const message = expect.stringMatching(/ is no URI: it has /) as string;
    for (const [what, request] of [
      ["application.resource", { application: { resource: uri, mainClass: "M" } }],
      ["spark.jars", { conf: { "spark.jars": `local:///a.jar,${uri}` } }],
    ] as const) {
      const error = await deniedBy(request);
      expect(error).toMatchObject({
        message,
        hint: expect.stringMatching(`in a URI, write it as ${written}$`) as string,
      });
      expect(error.message.startsWith(`${what}: `)).toBe(true);
      expect(error.message.endsWith(character)).toBe(true);
    }
  });

  test.each<[string, (path: string) => Partial<SubmitRequest>]>([
    ["application.resource", (path) => ({ application: { resource: `${path}/app.py` } })],
    ["application.resource", (path) => ({ application: { resource: `file:${path}/app.jar`, mainClass: "M" } })],
    ["application.resource", (path) => ({ application: { resource: `${path}/app.R` } })],
    ["propertiesFile", (path) => ({ propertiesFile: `${path}/file` })],
    ["loadSparkDefaults", () => ({ loadSparkDefaults: true })],
    ["spark.jars", (path) => ({ jars: [`${path}/file`] })],
    ["spark.files", () => ({ files: ["file"] })],
    ["spark.archives", () => ({ archives: ["file:a.zip"] })],
    ["spark.submit.pyFiles", () => ({ pyFiles: ["*.py"] })],
    ["spark.kubernetes.driver.podTemplateFile", (path) => ({ driverTemplate: `${path}/file` })],
    ["spark.kubernetes.executor.podTemplateFile", (path) => ({ executorTemplate: `${path}/file` })],
    ["spark.kindling.steps", (path) => ({ conf: { "spark.kindling.steps": `${path}/step.mjs` } })],
    [
      "spark.jars.packages",
      () => ({ conf: { "spark.jars.packages": "a:b:1", "spark.kindling.packages.resolve": "submitter" } }),
    ],
    [
      "spark.jars.packages",
      () => ({ conf: { "spark.jars.packages": "a:b:1", "spark.kindling.staging.uri": "http://staging" } }),
    ],
  ])("%s is refused: %s", async (what, request) => {
    const { path, env } = machine();
    const { message } = await deniedBy(request(path), env);
    expect(message).toContain(what);
    expect(message).not.toContain(CANARY);
  });

  test("packages that the driver resolves are its business", async () => {
    await expect(planned({ conf: { "spark.jars.packages": "a:b:1" } })).resolves.toBeDefined();
  });

  test("a step that names a file is refused, and one that reads without naming it too", async () => {
    const { path, env } = machine();
    const naming: Step = { name: "naming", localFiles: () => [`${path}/file`], configureDriver: (spec) => spec };
    expect((await deniedBy({ steps: [naming] }, env)).message).toContain("step naming");
    const reading: Step = {
      name: "reading",
      configureDriver: (spec, { files }) => ({ ...spec, driverSparkConf: { x: files.readText(`${path}/file`) ?? "" } }),
    };
    expect(await caught(planned({ steps: [reading] }, { env }))).toMatchObject({ code: "ACCESS_DENIED" });
  });

  test("templates may be given as objects", async () => {
    const template = { metadata: { labels: { team: "data" } }, spec: { containers: [{ name: "main" }] } };
    const { objects } = await planned({ driverTemplate: template, executorTemplate: template });
    expect(objects.pod.metadata?.labels).toMatchObject({ team: "data" });
    expect(JSON.stringify(objects.resources)).toContain('\\"team\\": \\"data\\"');
  });

  test("a kubeconfig is not looked for: the caller brings a client", async () => {
    const { env } = machine();
    const request = { application: { resource: "local:///app.py" }, conf: IMAGE, master: "k8s://http://127.0.0.1:1" };
    const error = await caught(submit(request, { access: "nothing", outside: stillOutside(env) }));
    expect(error).toMatchObject({ code: "ACCESS_DENIED", hint: "pass a client" });
  });

  test("no key whatever brings anything of this machine into a plan", async () => {
    const { path, env } = machine();
    const keys = [...allKeys(), ...SUBMISSION_KEYS].map((key) => (isConfPrefix(key) ? `${key.prefix}x` : key.key));
    for (const key of new Set(keys)) {
      for (const value of [`${path}/file`, `file:${path}/file`, `${path}/hadoop`, "${env:CANARY}"]) {
        let text: string;
        try {
          text = JSON.stringify(await planned({ conf: { [key]: value } }, { env, cwd: path }));
        } catch (error) {
          if (!isKindlingError(error)) throw error;
          text = `${error.message} ${error.hint ?? ""}`;
        }
        expect(text, `${key}=${value}`).not.toContain(CANARY);
      }
    }
  });
});

test("every key that is about a file is known to be of this machine, or of somewhere else", () => {
  const elsewhere = new Set([
    // Paths inside the pods.
    "spark.authenticate.secret.executor.file",
    "spark.eventLog.dir",
    "spark.kubernetes.authenticate.driver.mounted.caCertFile",
    "spark.kubernetes.authenticate.driver.mounted.clientCertFile",
    "spark.kubernetes.authenticate.driver.mounted.clientKeyFile",
    "spark.kubernetes.authenticate.driver.mounted.oauthTokenFile",
    "spark.kindling.localizer.directory",
    "spark.kindling.localizer.workDirectory",
    "spark.kubernetes.local.dirs.tmpfs",
    "spark.local.dir",
    // The destination of this machine's files, if there were any.
    "spark.kubernetes.file.upload.path",
  ]);
  const known = new Set([...LOCAL_FILE_KEYS, ...URI_LIST_KEYS]);
  const about = [...allKeys(), ...SUBMISSION_KEYS]
    .flatMap((key) => (isConfPrefix(key) ? [] : [key.key]))
    .filter((key) => /file$|path$|keytab|dir(ectory|s)?(\.|$)/i.test(key));
  expect(about.filter((key) => !known.has(key) && !elsewhere.has(key) && !/lassPath|ibraryPath/.test(key))).toEqual([]);
});
