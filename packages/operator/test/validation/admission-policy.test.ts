import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STOCK_DENIED_KEYS } from "../../src/validation/denied-keys.ts";
import { validate } from "../../src/validation/validate.ts";
import { applicationWith } from "@kindling/spark-application/testing";

const POLICY = readFileSync(
  new URL("../../../../deploy/helm/kindling-operator/templates/admission-policy.yaml", import.meta.url),
  "utf8",
);

test("the policy denies stock's keys for stock's reasons", () => {
  const lines = [...POLICY.matchAll(/^ +'(spark\.[^']+)': '([^']+)',?$/gm)].map(([, key, why]) => [key, why]);
  expect(Object.fromEntries(lines)).toEqual(STOCK_DENIED_KEYS);
});

const FAULTS = [
  ...validate(applicationWith({}, "A".repeat(64)), {}),
  ...validate(
    applicationWith({
      sparkVersion: "2.4.8",
      mode: "client",
      nodeSelector: {},
      driver: { template: {}, nodeSelector: {} },
      driverIngressOptions: [
        { ingressURLFormat: "a" },
        { servicePort: 80, ingressURLFormat: "a" },
        { servicePort: 80, ingressURLFormat: "b" },
        { servicePort: 81 },
        { servicePort: 82, ingressURLFormat: "a" },
      ],
      sparkConf: { "spark.kubernetes.namespace": "other" },
    }),
    {},
  ),
].join("\n");

test.each([
  "must be no more than 63 characters",
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  "pod template feature requires Spark version 3.0.0 or higher",
  "node selector cannot be defined at both SparkApplication and Driver/Executor",
  "DriverIngressOptions has nill ServicePort",
  "DriverIngressOptions has duplicate ServicePort: ",
  "DriverIngressOptions has empty IngressURLFormat",
  "DriverIngressOptions has duplicate IngressURLFormat: ",
  'sparkConf key "spark.kubernetes.namespace" is not allowed: must equal the application namespace "',
  '" is not supported: the driver would run inside the operator; set mode to cluster, or leave it out',
])("operator and policy both say: %s", (words) => {
  expect(FAULTS).toContain(words);
  expect(POLICY).toContain(words);
});
