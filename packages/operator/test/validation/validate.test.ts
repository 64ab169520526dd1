import { describe, expect, test } from "vitest";
import type { SparkApplicationSpec } from "@kindling/spark-application";
import { applicationWith } from "@kindling/spark-application/testing";
import { validate, validateScheduled } from "../../src/validation/validate.ts";

const refused = (spec: Partial<SparkApplicationSpec>, openFolder?: string) =>
  validate(applicationWith(spec), { openFolder });

test("nothing is wrong with most applications", () => {
  expect(
    refused({
      mode: "cluster",
      driver: { template: { spec: { containers: [] } }, nodeSelector: { disk: "ssd" } },
      executor: { nodeSelector: {} },
      sparkConf: { "spark.sql.shuffle.partitions": "200", "spark.kubernetes.namespace": "jobs" },
      deps: {
        jars: ["local:///a.jar,s3a://bucket/b.jar", " "],
        packages: ["a:b:1"],
        files: ["https://host/c.txt#name"],
      },
    }),
  ).toEqual([]);
});

describe("in stock's words", () => {
  const RULE =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

  test.each([
    ["my-app-", `invalid SparkApplication name "my-app-": ${RULE}`],
    ["1st", `invalid SparkApplication name "1st": ${RULE}`],
    ["my.app", `invalid SparkApplication name "my.app": ${RULE}`],
    ["", `invalid SparkApplication name "": ${RULE}`],
    ["a".repeat(64), `invalid SparkApplication name "${"a".repeat(64)}": must be no more than 63 characters`],
    ["A".repeat(64), `invalid SparkApplication name "${"A".repeat(64)}": must be no more than 63 characters, ${RULE}`],
  ])("the name %s", (name, fault) => {
    expect(validate(applicationWith({}, name), {})).toEqual([fault]);
  });

  test.each(["my-app", "a", "a".repeat(63), "a-1"])("the name %s is one", (name) => {
    expect(validate(applicationWith({}, name), {})).toEqual([]);
  });

  const TEMPLATE = "pod template feature requires Spark version 3.0.0 or higher";
  test.each<[string, string[]]>([
    ["2.4.8", [TEMPLATE]],
    ["3.0.0-preview2", [TEMPLATE]],
    ["three", [TEMPLATE]],
    ["3.05.0", [TEMPLATE]],
    ["", [TEMPLATE]],
    ["3.0.0", []],
    ["v3.5", []],
    ["3", []],
    ["3.0.1-SNAPSHOT", []],
    ["10.0.0-rc1+build.5", []],
  ])("a template with Spark %s", (sparkVersion, faults) => {
    expect(refused({ sparkVersion, executor: { template: {} } })).toEqual(faults);
    expect(refused({ sparkVersion, driver: { template: {} } })).toEqual(faults);
    expect(refused({ sparkVersion })).toEqual([]);
  });

  test("node selectors at both levels, empty ones too", () => {
    const fault = "node selector cannot be defined at both SparkApplication and Driver/Executor";
    expect(refused({ nodeSelector: { a: "b" }, driver: { nodeSelector: {} } })).toEqual([fault]);
    expect(refused({ nodeSelector: {}, executor: { nodeSelector: { a: "b" } } })).toEqual([fault]);
  });

  test("ingresses of the driver", () => {
    const ingress = (servicePort?: number, ingressURLFormat?: string) => ({
      ...(servicePort !== undefined && { servicePort }),
      ...(ingressURLFormat !== undefined && { ingressURLFormat }),
    });
    expect(refused({ driverIngressOptions: [ingress(80, "a"), ingress(81, "b")] })).toEqual([]);
    expect(
      refused({
        driverIngressOptions: [
          ingress(undefined, "a"),
          ingress(80, "a"),
          ingress(80, "b"),
          ingress(81),
          ingress(82, "a"),
        ],
      }),
    ).toEqual([
      "DriverIngressOptions has nill ServicePort",
      "DriverIngressOptions has duplicate ServicePort: 80",
      "DriverIngressOptions has empty IngressURLFormat",
      "DriverIngressOptions has duplicate IngressURLFormat: a",
    ]);
  });

  test("a schedule: its name and the keys of its template", () => {
    const { apiVersion, metadata, spec } = applicationWith({
      mode: "client",
      nodeSelector: {},
      driver: { nodeSelector: {} },
      mainApplicationFile: "/etc/passwd",
      sparkConf: { "spark.master": "local", "spark.kubernetes.context": "other" },
    });
    const schedule = { apiVersion, kind: "ScheduledSparkApplication", status: {} } as const;
    expect(
      validateScheduled(
        { ...schedule, metadata: { ...metadata, name: "Daily" }, spec: { schedule: "@daily", template: spec } },
        {},
      ),
    ).toEqual([
      `invalid ScheduledSparkApplication name "Daily": ${RULE}`,
      'sparkConf key "spark.kubernetes.context" is not allowed: the operator works in its own cluster',
      'sparkConf key "spark.master" is not allowed: this value is managed by the operator',
    ]);
  });
});

test.each(["client", "in-cluster-client"] as const)("mode %s is refused with a hint", (mode) => {
  expect(refused({ mode })).toEqual([
    `mode "${mode}" is not supported: the driver would run inside the operator; set mode to cluster, or leave it out`,
  ]);
});

describe("files of the operator", () => {
  const OPERATORS = [
    "/etc/passwd",
    "file:/etc/passwd",
    "file:///etc/passwd",
    "FILE:///etc/passwd",
    "etc/passwd",
    "${x}",
  ];

  test.each(OPERATORS)("%s is refused wherever a file may be named", (file) => {
    expect(refused({ mainApplicationFile: file })).toEqual([
      `mainApplicationFile "${file}" is not allowed: no file of the operator is read for an application; give the URI of a file of the image (local:///path) or of a store that driver and executors can reach`,
    ]);
    for (const list of ["jars", "files", "pyFiles", "archives"] as const) {
      expect(refused({ deps: { [list]: ["local:///a", file] } }), list).toEqual([
        expect.stringMatching(`^deps.${list} ".*" is not allowed: no file of the operator is read`),
      ]);
      // Entries are joined with commas later on.
      expect(refused({ deps: { [list]: [`local:///a , ${file}`] } }), list).toHaveLength(1);
    }
  });

  test("what is no URI is told as that, and not as a file of the operator", () => {
    expect(refused({ mainApplicationFile: "s3a://<BUCKET>/app.py", deps: { jars: ["local:///opt/a b.jar"] } })).toEqual(
      [
        expect.stringMatching(
          /^mainApplicationFile "s3a:\/\/<BUCKET>\/app\.py" is no URI: replace placeholders such as <BUCKET>, /,
        ),
        expect.stringMatching(/^deps\.jars "local:\/\/\/opt\/a b\.jar" is no URI: /),
      ],
    );
  });

  test("code that the image has on its class path is no file", () => {
    expect(refused({ mainApplicationFile: "spark-internal" })).toEqual([]);
  });

  test("a login in a URI is not shown", () => {
    const [fault] = refused({ deps: { jars: ["https://user:secret@host/${x}.jar"] } });
    expect(fault).not.toContain("secret");
  });

  test.each(["/opt/files/a.jar", "file:/opt/files/a.jar", "file:///opt/files/sub/*.jar", "/opt/files/a.zip#env"])(
    "%s is in the folder that is open",
    (file) => {
      for (const folder of ["/opt/files", "/opt/files/", "/opt/./files", "/"]) {
        expect(refused({ mainApplicationFile: file, deps: { archives: [file] } }, folder), folder).toEqual([]);
      }
      expect(refused({ mainApplicationFile: file }, "/opt/other")).toHaveLength(1);
    },
  );

  test.each([
    "/opt/files",
    "/opt/files.jar",
    "/opt/filesystem/a.jar",
    "/opt/files/../secret",
    "/opt/files/./../secret",
    "/opt/files/{a,../../secret}",
    "/opt/files/%2e%2e/secret",
    "file:/opt/files/%2E%2E/secret",
    "file:///opt/files/\\../secret",
    "file://host/opt/files/a.jar",
    "//opt/files/a.jar",
    "file:////opt/files/a.jar",
    "file:opt/files/a.jar",
    "opt/files/a.jar",
    "/opt/files/${HOME}",
    "/OPT/files/a.jar",
  ])("%s is not in it", (file) => {
    expect(refused({ mainApplicationFile: file }, "/opt/files")).toEqual([
      expect.stringContaining(", or of a file below /opt/files"),
    ]);
  });
});
