import { symlinkSync } from "node:fs";
import type { KubernetesResource } from "@kindling/core-spec";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import type { ConfigMap, Container } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { gather, plan, type SubmissionPlan } from "../../src/index.ts";
import { stillOutside } from "../fixtures/outside.ts";

interface Given {
  readonly conf?: Readonly<Record<string, string>>;
  /** `{W}` stands for the folder. */
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
}

async function planned({ conf = {}, env = {}, files = {}, links = {} }: Given): Promise<SubmissionPlan> {
  const { path } = scratchFolder({ "of-the-current-folder.txt": "secret", ...files });
  for (const [link, target] of Object.entries(links)) symlinkSync(target, `${path}/${link}`);
  const here = Object.entries(env).map(([name, value]) => [name, value.replace("{W}", path)]);
  const request = {
    application: { resource: "local:///app.jar", mainClass: "Main" },
    conf: {
      "spark.kubernetes.container.image": "spark:4.3.0",
      "spark.kubernetes.submission.waitAppCompletion": "false",
      ...conf,
    },
  };
  const outside = stillOutside(Object.fromEntries(here) as Record<string, string>, path);
  return plan((await gather(request, outside, "this-machine", { connection: { kind: "none" } })).input);
}

function dataOf({ objects }: SubmissionPlan, name: RegExp): Readonly<Record<string, string>> {
  const all: readonly KubernetesResource[] = [...objects.preResources, ...objects.resources];
  const found = all.find(({ kind, metadata }) => kind === "ConfigMap" && name.test(metadata.name)) as ConfigMap;
  return found.data ?? {};
}

const hadoopFiles = (made: SubmissionPlan): string[] => Object.keys(dataOf(made, /-hadoop-config$/));
const driverFiles = (made: SubmissionPlan): string[] => Object.keys(dataOf(made, /^spark-drv-/));
const containerOf = ({ objects }: SubmissionPlan): Container | undefined =>
  objects.pod.spec?.containers?.find(({ name }) => name === objects.driverContainer);
const envOf = (made: SubmissionPlan, wanted: string): string | undefined =>
  containerOf(made)?.env?.find(({ name }) => name === wanted)?.value;

describe("values", () => {
  test.each([
    ["spark.blockManager.port", { "spark.driver.blockManager.port": "4040", "spark.blockManager.port": " 80" }],
    ["spark.driver.memory", { "spark.driver.memory": "9223372036854775807" }],
    ["spark.kubernetes.setSubmitTimeInDriver", { "spark.kubernetes.setSubmitTimeInDriver": "450m" }],
  ])("%s is refused by its name", async (key, conf) => {
    await expect(planned({ conf })).rejects.toThrow(key);
  });

  test("the configuration is no system property", async () => {
    const name = "spark.kubernetes.scheduler.name";
    const reference = "${system:spark.q}";
    expect((await planned({ conf: { [name]: reference, "spark.q": "a" } })).objects.pod.spec?.schedulerName).toBe(
      reference,
    );
    const told = await planned({ conf: { [name]: reference }, env: { SPARK_SUBMIT_OPTS: "-Dspark.q=a" } });
    expect(told.objects.pod.spec?.schedulerName).toBe("a");
  });

  test("an overhead without end is the most that Spark knows", async () => {
    const made = await planned({ conf: { "spark.driver.memoryOverheadFactor": "Infinity" } });
    expect(containerOf(made)?.resources?.limits?.["memory"]).toBe(`${1024 + 2 ** 31 - 1}Mi`);
  });
});

describe("folders of the environment", () => {
  test("a folder without files makes a ConfigMap without data", async () => {
    const made = await planned({ env: { HADOOP_CONF_DIR: "" } });
    const found = made.objects.preResources
      .concat(made.objects.resources)
      .find(({ metadata }) => metadata.name.endsWith("-hadoop-config"));
    expect(found).toBeDefined();
    expect(found).not.toHaveProperty("data");
  });

  test.each(["", "file://{W}/c"])("HADOOP_CONF_DIR=%s names no folder", async (folder) => {
    expect(hadoopFiles(await planned({ env: { HADOOP_CONF_DIR: folder }, files: { "c/core-site.xml": "" } }))).toEqual(
      [],
    );
  });

  test.each(["c#1", "c%20d", "c d"])("a folder may be called %s", async (folder) => {
    const files = { [`${folder}/core-site.xml`]: "<configuration/>", [`${folder}/log4j2.properties`]: "a=b" };
    const hadoops = await planned({ env: { HADOOP_CONF_DIR: `{W}/${folder}` }, files });
    expect(hadoopFiles(hadoops)).toContain("core-site.xml");
    expect(driverFiles(await planned({ env: { SPARK_CONF_DIR: `{W}/${folder}` }, files }))).toContain(
      "log4j2.properties",
    );
  });

  test("what Emacs leaves beside a file that is being edited does no harm", async () => {
    const files = { "c/log4j2.properties": "a=b", "c/#log4j2.properties#": "a=" };
    const links = { "c/.#log4j2.properties": "me@host.1:2" };
    const made = await planned({ env: { SPARK_CONF_DIR: "{W}/c" }, files, links });
    expect(driverFiles(made)).toEqual(expect.arrayContaining(["log4j2.properties", "#log4j2.properties#"]));
    expect(driverFiles(made)).not.toContain(".#log4j2.properties");
  });

  test("a comma at the end makes no further local directory", async () => {
    expect(envOf(await planned({ conf: { "spark.local.dir": "/a,,/b,," } }), "SPARK_LOCAL_DIRS")).toBe("/a,,/b");
    expect(envOf(await planned({ env: { SPARK_LOCAL_DIRS: "/a," } }), "SPARK_LOCAL_DIRS")).toBe("/a");
  });
});

describe("values", () => {
  test.each([
    ["spark.dynamicAllocation.enabled", "yes"],
    ["spark.kubernetes.report.interval", "abc"],
  ])("%s=%s is for others to read", async (key, value) => {
    expect(dataOf(await planned({ conf: { [key]: value } }), /^spark-drv-/)["spark.properties"]).toContain(
      `${key}=${value}`,
    );
  });

  test("a key of Spark 4.3 is not read for an older one", async () => {
    const key = "spark.kubernetes.driver.securityContext.allowPrivilegeEscalation";
    const image = { "spark.kubernetes.container.image": "spark:3.5.9" };
    expect(containerOf(await planned({ conf: { [key]: "yes", ...image } }))?.securityContext).toBeUndefined();
    await expect(planned({ conf: { [key]: "yes" } })).rejects.toMatchObject({ code: "CONF_INVALID" });
  });

  test.each([
    ["spark.executor.memory", "2 g"],
    ["spark.executor.memory", "99999999999g"],
    ["spark.driver.memory", "2\u00a0g"],
    ["spark.executor.cores", "2147483648"],
    ["spark.executor.instances", "4294967297"],
    ["spark.driver.port", " 7078"],
    ["spark.blockManager.port", "${spark.driver.port}"],
    ["spark.submit.proxyUser.allowCustomClasspathInClusterMode", "yes"],
  ])("%s=%s is refused", async (key, value) => {
    await expect(planned({ conf: { [key]: value, "spark.driver.port": "7000", ...{ [key]: value } } })).rejects.toThrow(
      key,
    );
  });

  test("an empty size of a volume is refused where it goes into a pod or a claim", async () => {
    const sized = (type: string, options: Readonly<Record<string, string>>): Promise<SubmissionPlan> => {
      const all = { "mount.path": "/data", "options.sizeLimit": "", ...options };
      const keys = Object.entries(all).map(([name, value]) => [
        `spark.kubernetes.driver.volumes.${type}.data.${name}`,
        value,
      ]);
      const image = { "spark.kubernetes.container.image": "spark:3.5.9" };
      return planned({ conf: { ...image, ...(Object.fromEntries(keys) as Record<string, string>) } });
    };
    const claim = { "options.claimName": "data" };
    await expect(sized("emptyDir", {})).rejects.toThrow("data.options.sizeLimit is empty");
    await expect(sized("persistentVolumeClaim", { ...claim, "options.storageClass": "fast" })).rejects.toThrow(
      "data.options.sizeLimit is empty",
    );
    await expect(sized("persistentVolumeClaim", claim)).resolves.toBeDefined();
  });

  test("a reference to a key that nobody has set is its default", async () => {
    const made = await planned({ conf: { "spark.kubernetes.scheduler.name": "x-${spark.driver.memory}" } });
    expect(made.objects.pod.spec?.schedulerName).toBe("x-1g");
  });

  test("a pod template is found as a URI, and a folder is none", async () => {
    const template = (where: string): Promise<SubmissionPlan> =>
      planned({
        conf: { "spark.kubernetes.driver.podTemplateFile": where },
        files: { "a b.yaml": "spec: {hostNetwork: true}", "folder/x": "" },
      });
    for (const where of ["a%20b.yaml", "a%20b.yaml#x", "a b.yaml"]) {
      expect((await template(where)).objects.pod.spec?.hostNetwork).toBe(true);
    }
    await expect(template("folder")).rejects.toThrow("it is a directory");
    await expect(template("")).rejects.toThrow("it does not exist");
  });
});

test("a user that Hadoop refuses is refused", async () => {
  await expect(planned({ env: { HADOOP_USER_NAME: "a@b@c" } })).rejects.toThrow("HADOOP_USER_NAME");
});
