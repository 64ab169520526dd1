import { describe, expect, test } from "vitest";
import { idleKeys, withoutIdleKeys } from "../../src/validation/idle-keys.ts";
import { validate } from "../../src/validation/validate.ts";
import { applicationWith } from "@kindling/spark-application/testing";

/** Keys that people copy from one application to the next, where they have no effect. */
const IDLE: readonly { readonly key: string; readonly spec?: object; readonly because: RegExp }[] = [
  { key: "spark.kubernetes.file.upload.path", because: /no file of the application is uploaded/ },
  {
    key: "spark.kubernetes.file.upload.path",
    spec: { deps: { jars: ["s3a://bucket/a.jar"], files: ["local:///etc/a#b"], pyFiles: ["https://host/a.py"] } },
    because: /no file of the application is uploaded/,
  },
  { key: "spark.kubernetes.scheduler.volcano.podGroupTemplateFile", because: /feature step/ },
  { key: "spark.kubernetes.authenticate.caCertFile", because: /client mode/ },
  { key: "spark.kubernetes.authenticate.clientKeyFile", because: /client mode/ },
  { key: "spark.kubernetes.authenticate.clientCertFile", because: /client mode/ },
  { key: "spark.home", because: /no file of the operator/ },
  { key: "spark.jars", spec: { deps: { jars: ["local:///a.jar"] } }, because: /spec\.deps\.jars/ },
  { key: "spark.files", spec: { deps: { files: ["local:///a"] } }, because: /spec\.deps\.files/ },
  { key: "spark.archives", spec: { deps: { archives: ["local:///a.zip"] } }, because: /spec\.deps\.archives/ },
  { key: "spark.submit.pyFiles", spec: { deps: { pyFiles: ["local:///a.py"] } }, because: /spec\.deps\.pyFiles/ },
];

describe("a key that does nothing in an application", () => {
  test.each(IDLE)("is told of and not denied: $key, $because", ({ key, spec, because }) => {
    for (const written of [key, ` ${key} `]) {
      const application = applicationWith({ ...spec, sparkConf: { [written]: "/opt/x", "spark.ui.port": "4041" } });
      expect(validate(application, {})).toEqual([]);
      expect(idleKeys(application.spec).map(({ notice }) => notice)).toEqual([expect.stringMatching(because)]);
      expect(idleKeys(application.spec)[0]?.notice).toContain(`"${key}" has no effect`);
    }
  });

  test("is taken out where a submission would refuse it, and stays with the others", () => {
    const sparkConf = Object.fromEntries(IDLE.map(({ key }) => [key, "s3a://bucket/x"]));
    const { spec } = withoutIdleKeys(applicationWith({ sparkConf }));
    expect(Object.keys(spec.sparkConf ?? {})).toEqual(
      Object.keys(sparkConf).filter((key) => key !== "spark.home" && !key.endsWith("podGroupTemplateFile")),
    );
  });
});

test.each([
  [{ "spark.kubernetes.file.upload.path": "s3a://bucket/up", "spark.files": "/etc/a" }, {}],
  [{ "spark.kubernetes.file.upload.path": "s3a://bucket/up", "spark.jars": "local:/a,${env:A}" }, {}],
  [{ "spark.kubernetes.file.upload.path": "s3a://bucket/up" }, { deps: { pyFiles: ["app.py"] } }],
  [{ "spark.kubernetes.file.upload.path": "s3a://bucket/up" }, { mainApplicationFile: "file:///app.py" }],
  [{ "spark.jars": "local:///a.jar" }, { deps: { jars: [], files: ["local:///a"] } }],
])("keys that do something are no idle ones: %j, %j", (sparkConf, spec) => {
  expect(idleKeys(applicationWith({ ...spec, sparkConf }).spec)).toEqual([]);
});
