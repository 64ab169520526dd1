import type { Step } from "@kindling/core-spec";
import { CHAIN } from "@kindling/steps";
import { caughtFrom } from "@kindling/test-kit/caught";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gather, plan, planExecutor, type PlanInput, type SubmitRequest } from "../../src/index.ts";
import { stillOutside } from "../fixtures/outside.ts";
import { planInput } from "../fixtures/plan-input.ts";

const IMAGE = { "spark.kubernetes.container.image": "spark:4.3.0" };

/** Gathers a request that uses every kind of thing that is read from a machine. */
async function gathered(request: Partial<SubmitRequest> = {}): Promise<PlanInput> {
  const { path } = scratchFolder({
    "conf/log4j2.properties": "a=b",
    "conf/spark-defaults.conf": "spark.from.defaults yes",
    "hadoop/core-site.xml": "<configuration/>",
    "driver.yaml": "spec:\n  containers: [{name: main, ports: [{containerPort: 1}]}]\n",
    "executor.yaml": "spec: {containers: [{name: main}]}\n",
    "krb5.conf": "[libdefaults]\n",
    "me.keytab": new Uint8Array([0, 255, 1]),
    "ca.pem": "certificate",
    "app.py": "print()",
    "data.csv": "1,2",
  });
  const conf = {
    ...IMAGE,
    "spark.kubernetes.file.upload.path": "s3a://bucket/uploads",
    "spark.kubernetes.kerberos.krb5.path": "krb5.conf",
    "spark.kerberos.keytab": `file:${path}/me.keytab`,
    "spark.kerberos.principal": "me",
    "spark.kubernetes.authenticate.driver.caCertFile": "ca.pem",
    "spark.kubernetes.driver.label.home": "${env:HOME}",
  };
  const env = { SPARK_CONF_DIR: `${path}/conf`, HADOOP_CONF_DIR: `${path}/hadoop`, HOME: "/home/me" };
  const complete = {
    application: { resource: "app.py", arguments: ["x"] },
    files: ["data.csv", "data.csv#again"],
    driverTemplate: "driver.yaml",
    executorTemplate: "executor.yaml",
    ...request,
    conf: { ...conf, ...request.conf },
  };
  const outside = stillOutside(env, path);
  return (await gather(complete, outside, "this-machine", { connection: { kind: "none" } })).input;
}

describe("a plan", () => {
  test("follows from plain data: a clone of the input gives the same", async () => {
    const input = await gathered();
    const one = plan(input);
    expect(plan(structuredClone(input))).toEqual(one);
    expect(one.uploads.map(({ purpose }) => purpose)).toEqual(["spark.files", "spark.files", "the application"]);
    expect(structuredClone(one)).toEqual(one);
  });

  test("is the same for any configuration that can be cloned", () => {
    const value = fc.oneof(
      fc.constantFrom("true", "1", "1g", "a=b", "/x", "${spark.app.name}", "${env:X}"),
      fc.string(),
    );
    const keys = CHAIN.flatMap(({ step }) => step.keys ?? []).map((key) =>
      "prefix" in key ? `${key.prefix}x` : key.key,
    );
    const entries = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 5 });
    const outcome = (input: PlanInput): unknown => {
      try {
        return plan(input);
      } catch (error) {
        return String(error);
      }
    };
    fc.assert(
      fc.property(entries, (conf) => {
        const input = planInput(conf);
        expect(outcome(structuredClone(input))).toEqual(outcome(input));
      }),
    );
  });

  test("gives executors from the same input", async () => {
    const input = await gathered();
    expect(planExecutor(structuredClone(input))).toEqual(planExecutor(input));
  });

  test("gives executors with words, or what is said, for what their driver will draw", () => {
    const input = planInput({ "spark.authenticate": "true" });
    expect(JSON.stringify(planExecutor(input).objects)).toMatch(/<id>.*<secret>|<secret>.*<id>/);
    const drawn = { id: "0a", podIp: "127.0.0.1", podUid: "u", secret: "s" };
    expect(JSON.stringify(planExecutor(input, [], drawn).objects)).not.toMatch(/<(id|secret|driver pod [a-zA-Z]+)>/);
  });

  test("tells each notice once, those of gathering first", () => {
    const step: Step = {
      name: "talker",
      configureDriver: (spec, { notice }) => (notice("from the step"), notice("from the step"), spec),
      configureExecutor: (spec, { notice }) => (notice("from its other half"), spec),
    };
    const input = { ...planInput({}), notices: ["from gathering"] };
    expect(plan(input, [step]).notices).toEqual(["from gathering", "from its other half", "from the step"]);
  });
});

describe("names", () => {
  const named = (input: Partial<PlanInput>): string =>
    plan({ ...planInput({}), ...input }).objects.pod.metadata?.name ?? "";

  test("begin with the application's name, or the submission id, or a prefix that is given", () => {
    expect(named({})).toMatch(/^sample-[0-9a-f]{7,16}-driver$/);
    expect(named({ submissionId: "id-1" })).toMatch(/^id-1-[0-9a-f]{7,16}-driver$/);
    expect(named({ submissionId: "id-1", resourceNamePrefix: "nightly" })).toMatch(/^nightly-[0-9a-f]{7,16}-driver$/);
  });

  test("with a prefix depend on the submission id as without", async () => {
    const request = { submissionId: "7d8", resourceNamePrefix: "etl" };
    const names = await Promise.all(
      [request, request, { ...request, submissionId: "7d9" }].map(async (each) => named(await gathered(each))),
    );
    expect(names[0]).toBe(names[1]);
    expect(names[2]).not.toBe(names[0]);
  });
});

describe("the container that runs Spark", () => {
  const template = { spec: { containers: [{ name: "main" }, { name: "sidecar" }] } };

  test.each([
    ["last", ["sidecar", "main"]],
    ["first", ["main", "sidecar"]],
  ] as const)("may be the %s one", (sparkContainer, names) => {
    const { objects, application } = plan({ ...planInput({}), templates: { driver: template }, sparkContainer });
    expect(objects.pod.spec?.containers?.map(({ name }) => name)).toEqual(names);
    expect(application.driverContainer).toBe("main");
    expect(planExecutor({ ...planInput({}), templates: { driver: template }, sparkContainer }).objects).toHaveLength(2);
  });
});

describe("files", () => {
  test("that no step named are refused, with what is to be declared", () => {
    const step: Step = {
      name: "reader",
      configureDriver: (spec, { files }) => ({ ...spec, driverSparkConf: { x: String(files.size("/etc/hosts")) } }),
    };
    expect(caughtFrom(() => plan(planInput({}), [step]))).toMatchObject({
      code: "STEP_INVALID",
      message: "/etc/hosts is read by a step that did not say so",
      hint: expect.stringContaining("localFiles"),
    });
  });

  test("that a contributed step names are there for it, YAML under any key too", async () => {
    const { path } = scratchFolder({ "labels.yaml": "labels: {team: search}\n", "more/a.txt": "A" });
    const step: Step = {
      name: "labels",
      localFiles: (conf) => [conf.raw("spark.my.labels") ?? "", `${path}/more`],
      configureDriver(spec, { conf, files }) {
        const { labels } = files.readYaml(conf.raw("spark.my.labels") ?? "", "spark.my.labels") as { labels: object };
        const [file] = files.listFiles(`${path}/more`) ?? [];
        const metadata = {
          ...spec.driverPod.metadata,
          labels: { ...spec.driverPod.metadata?.labels, ...labels, more: files.readText(file?.path ?? "") ?? "" },
        };
        return { ...spec, driverPod: { ...spec.driverPod, metadata } };
      },
    };
    const request = {
      application: { resource: "local:///app.py" },
      conf: { ...IMAGE, "spark.my.labels": "labels.yaml" },
      steps: [step],
    };
    const none = { connection: { kind: "none" } } as const;
    const { input, steps } = await gather(request, stillOutside({}, path), "this-machine", none);
    expect(plan(structuredClone(input), steps).objects.pod.metadata?.labels).toMatchObject({
      team: "search",
      more: "A",
    });
  });

  test.each([
    [
      "that is missing",
      {},
      "FILE_UNREADABLE",
      /^spark\.kubernetes\.driver\.podTemplateFile: \S*t\.yaml cannot be read: it does not exist$/,
    ],
    ["that is too large", { "t.yaml": "a".repeat(1024 * 1024 + 1) }, "FILE_UNREADABLE", /is larger than 1048576 bytes/],
    [
      "that is no YAML",
      { "t.yaml": "a: [" },
      "TEMPLATE_INVALID",
      /^spark\.kubernetes\.driver\.podTemplateFile: t\.yaml: /,
    ],
  ] as const)("one %s is refused where it is wanted", async (_, files, code, message) => {
    const { path } = scratchFolder(files);
    const request = { application: { resource: "local:///app.py" }, conf: IMAGE, driverTemplate: "t.yaml" };
    const none = { connection: { kind: "none" } } as const;
    const { input } = await gather(request, stillOutside({}, path), "this-machine", none);
    expect(caughtFrom(() => plan(input))).toMatchObject({ code, message: expect.stringMatching(message) as string });
  });
});
