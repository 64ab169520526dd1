import { describe, expect, test } from "vitest";
import { diagnose, forApplication, inApplicationWords } from "../src/index.ts";
import { failed, NOW } from "./fixtures/pods.ts";

describe("advice for whoever wrote a SparkApplication", () => {
  test.each([
    [
      "check spark.kubernetes.container.image, or spark.kubernetes.driver.container.image",
      "check spec.image, or spec.driver.image",
    ],
    [
      "correct spark.kubernetes.authenticate.driver.serviceAccountName, or make the account: kindling rbac driver -n jobs --serviceaccount=jobs:etl",
      "correct spec.driver.serviceAccount, or make the account: kindling rbac driver -n jobs --serviceaccount=jobs:etl",
    ],
    [
      "lower spark.kubernetes.executor.request.cores (spark.executor.cores where that is not set)",
      "lower spec.executor.coreRequest (spec.executor.cores where that is not set)",
    ],
    [
      "raise spark.driver.memoryOverhead, or spark.driver.memory",
      "raise spec.driver.memoryOverhead, or spec.driver.memory",
    ],
    ["raise spark.driver.memory (--driver-memory) to 512m", "raise spec.driver.memory to 512m"],
    [
      "check spark.kubernetes.node.selector.*, spark.kubernetes.driver.node.selector.*, and spark.kubernetes.driver.podTemplateFile",
      "check spec.nodeSelector.*, spec.driver.nodeSelector.*, and spec.driver.template",
    ],
    ["-XX:MaxMetaspaceSize in spark.executor.extraJavaOptions", "-XX:MaxMetaspaceSize in spec.executor.javaOptions"],
    ["set spark.kubernetes.driverEnv.JAVA_HOME", "set JAVA_HOME in spec.driver.env"],
    [
      "give it with --jars, --py-files, or --packages GROUP:ARTIFACT:VERSION",
      "give it with spec.deps.jars, spec.deps.pyFiles, or spec.deps.packages GROUP:ARTIFACT:VERSION",
    ],
    ["check --class, with its package", "check spec.mainClass, with its package"],
    ["kindling logs --executor ID shows why", "kindling app logs --executor ID shows why"],
  ])("%s", (advice, told) => {
    expect(inApplicationWords(advice)).toBe(told);
  });

  test.each([
    "set spark.driver.maxResultSize",
    "raise spark.executor.pyspark.memory",
    "set spark.driver.memoryOverheadFactor",
    "check spark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.claimName",
    "docker buildx --platform linux/amd64; keep --add-opens of JDK_JAVA_OPTIONS",
  ])("what has no field stays: %s", (advice) => {
    expect(inApplicationWords(advice)).toBe(advice);
  });

  test("a file that is not there cannot be staged by an operator", () => {
    const log = "python3: can't open file '/opt/app/day.py': [Errno 2] No such file or directory";
    const diagnosis = diagnose(failed(2, log), NOW);
    const [told] = forApplication(diagnosis).findings;
    expect(told?.summary).toBe(diagnosis.findings[0]?.summary);
    expect(told?.advice).toMatch(/build it into the image, or give the URI of a store/);
    expect(told?.advice).not.toMatch(/this machine/);
  });
});
