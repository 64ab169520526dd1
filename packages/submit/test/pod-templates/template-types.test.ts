import { describe, expect, test } from "vitest";
import { sparkVersionOf, type TemplateKind } from "@kindling/core-spec";
import { parseYaml } from "../../src/pod-templates/parse-yaml.ts";
import { caughtFrom } from "@kindling/test-kit/caught";

const ORIGIN = "spark.kubernetes.driver.podTemplateFile: /t.yaml";
const parse = (text: string, kind?: TemplateKind, version = "4.3.0"): unknown =>
  parseYaml(text, ORIGIN, kind, sparkVersionOf(version));
const pod = (text: string): unknown => parse(text, "Pod");
const fault = (text: string, kind?: TemplateKind): string => {
  const error = caughtFrom(() => parse(text, kind));
  expect(error.code).toBe("TEMPLATE_INVALID");
  expect(error.message).not.toContain("\n");
  return error.message.replace(`${ORIGIN}: `, "");
};
const faultOf = (text: string): string => fault(text, "Pod");

describe("numbers keep what they are", () => {
  test.each([
    ["1234567890123456789", "1234567890123456789"],
    ["12345678901234567890123", "12345678901234567890123"],
    ["1.10", "1.1"],
    ["1e3", "1000.0"],
    [".inf", "Infinity"],
    ["true", "true"],
    ["yes", "yes"],
    ["0644", "0644"],
    ["!!binary aGVs bG8=", "aGVsbG8="],
  ])("the label %s is the text %s", (value, text) => {
    expect(pod(`metadata: { labels: { a: ${value} } }`)).toEqual({ metadata: { labels: { a: text } } });
  });

  test("as they are written, where the file is JSON", () => {
    const text =
      '{"metadata": {"labels": {"a": 1.50, "b": 1E5}}, "spec": {"containers": [{"name": "a", "image": 1.10}]}}';
    expect(pod(text)).toEqual({
      metadata: { labels: { a: "1.50", b: "1E5" } },
      spec: { containers: [{ name: "a", image: "1.10" }] },
    });
  });

  test("but for those that JavaScript has no number for", () => {
    expect(faultOf("spec: { activeDeadlineSeconds: 9007199254740993 }")).toBe(
      "line 1, column 32: spec.activeDeadlineSeconds: 9007199254740993 is larger than 9007199254740991",
    );
  });
});

describe("fields have the types that Kubernetes has for them", () => {
  test.each([
    ["volumes: [{ name: v, csi: { driver: d, volumeAttributes: { a: true, b: 1 } } }]", '"a":"true","b":"1"'],
    ["containers: [{ volumeMounts: [{ name: v, mountPath: /m, subPath: 2024 }] }]", '"subPath":"2024"'],
    ["volumes: [{ name: v, persistentVolumeClaim: { claimName: 2024 } }]", '"claimName":"2024"'],
    ["volumes: [{ name: v, secret: { secretName: 7 } }]", '"secretName":"7"'],
    ["serviceAccountName: 123", '"serviceAccountName":"123"'],
    ["containers: [{ lifecycle: { preStop: { sleep: { seconds: '5' } } } }]", '"seconds":5'],
    ["securityContext: { supplementalGroups: ['1', 2] }", '"supplementalGroups":[1,2]'],
    ["hostUsers: 1", '"hostUsers":true'],
    ["hostNetwork: 'True'", '"hostNetwork":true'],
    ["containers: [{ livenessProbe: { httpGet: { path: 1, port: '8080' } } }]", '"path":"1","port":"8080"'],
    ["containers: [{ livenessProbe: { tcpSocket: { port: 8080 } } }]", '"port":8080'],
    ["overhead: { cpu: 1, memory: 0.50 }", '"cpu":"1","memory":"0.5"'],
    ["imagePullSecrets: [registry]", '"imagePullSecrets":[{"name":"registry"}]'],
    ["somethingNew: { a: 1, b: [true] }", '"somethingNew":{"a":1,"b":[true]}'],
  ])("%s", (spec, json) => {
    expect(JSON.stringify(pod(`spec: { ${spec} }`))).toContain(json);
  });

  test("which are no others for a field of the same name elsewhere", () => {
    const text = "spec: { containers: [{ name: 1, resources: { claims: [{ name: 2 }] } }], os: { name: 3, value: 4 } }";
    expect(pod(text)).toEqual({
      spec: { containers: [{ name: "1", resources: { claims: [{ name: "2" }] } }], os: { name: "3", value: 4 } },
    });
  });

  test("of a pod group, too", () => {
    expect(parse("spec: { minMember: '2', queue: 7, minResources: { cpu: 4 }, other: 1 }", "PodGroup")).toEqual({
      spec: { minMember: 2, queue: "7", minResources: { cpu: "4" }, other: 1 },
    });
  });

  test.each([
    ["3.5.9", { resources: { limits: { cpu: 1 } } }],
    ["4.0.1", { resources: { limits: { cpu: "1" } } }],
  ])("as far as the client of Spark %s knows them", (version, spec) => {
    expect(parse("spec: { resources: { limits: { cpu: 1 } } }", "Pod", version)).toEqual({ spec });
  });

  test.each([["0644"], ["'0644'"], ["0o644"], ["420"], ["'420'"]])("a file mode of %s is 420", (mode) => {
    const spec = `volumes: [{ name: v, secret: { defaultMode: ${mode} } }]`;
    expect(pod(`spec: { ${spec} }`)).toEqual({ spec: { volumes: [{ name: "v", secret: { defaultMode: 420 } }] } });
  });

  test("empty lists and maps of theirs are left out, and what is missing in a list is an object", () => {
    const text = "metadata: { labels: {} }\nspec: { tolerations: [null, { key: a }], volumes: [], affinity: {} }";
    expect(pod(text)).toEqual({ metadata: {}, spec: { tolerations: [{}, { key: "a" }], affinity: {} } });
  });

  test.each([
    ["imagePullSecrets: { name: x }", "21: spec.imagePullSecrets: a list is expected, not an object"],
    ["containers: { name: x }", "15: spec.containers: a list is expected, not an object"],
    ["containers:", "14: spec.containers: a list is expected, not nothing"],
    ["nodeSelector: [a]", "17: spec.nodeSelector: an object is expected, not a list"],
    ["nodeSelector: { a: [1] }", "22: spec.nodeSelector.a: a text is expected, not a list"],
    ["hostNetwork: yes", '16: spec.hostNetwork: the text "yes" is neither true nor false'],
    ["priority: 99999999999", "13: spec.priority: 99999999999 is too large"],
    ["priority: 1.5", "13: spec.priority: 1.5 is not a whole number"],
    ["volumes: [{ name: v, secret: { defaultMode: rw } }]", '47: spec.volumes[0].secret.defaultMode: the text "rw" is'],
    ["containers: [{ name: a, ports: 80 }]", "34: spec.containers[0].ports: a list is expected, not 80"],
  ])("%s is refused with line, column and field", (spec, message) => {
    expect(faultOf(`spec:\n  ${spec}\n`)).toContain(`line 2, column ${message}`);
  });
});
