import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { pathsInto, pathText, SPEC, type Step, wrongValues } from "@kindling/spark-application/testing";
import { manifest } from "../../src/testing/manifest.ts";
import { OperatedCluster } from "../support/operated-cluster.ts";
import { allSettled } from "./rounds/all-settled.ts";

const DEFINITION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/sparkapplications.sparkoperator.k8s.io";
const APPLICATIONS = "/apis/sparkoperator.k8s.io/v1beta2/namespaces/spark-jobs/sparkapplications";

/** Lets the API server accept anything as an application, as a reduced definition does. */
async function takeAnything({ cluster }: OperatedCluster): Promise<void> {
  const definition = (await cluster.send("GET", DEFINITION)) as { spec: { versions: object[] } };
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const versions = definition.spec.versions.map((version) => ({ ...version, schema }));
  await cluster.send("PUT", DEFINITION, { ...definition, spec: { ...definition.spec, versions } });
  const probe = { ...manifest("probe"), spec: 5 };
  await eventually(() => cluster.send("POST", `${APPLICATIONS}?dryRun=All`, probe));
}

/** A value with another value at the end of a path, and as little as possible on the way. */
function withAt([step, ...rest]: readonly Step[], around: unknown, value: unknown): unknown {
  if (step === undefined) return value;
  const inner = around === undefined ? undefined : step.into(around);
  return step.put(around, withAt(rest, inner, value));
}

const REFUSED = "failed to submit spark application: ";

test("a field of any wrong type ends in a failure that names it, and holds up nobody", async () => {
  const operated = await OperatedCluster.start();
  await takeAnything(operated);
  await operated.operate();
  // The reader's own tests try all of them in turn. Here a part is enough to see the result.
  const paths = pathsInto(SPEC).filter((_, index) => index % 4 === 0);
  const cases = paths.map((path, index) => {
    const wrong = wrongValues(path.at(-1)?.form ?? SPEC);
    return { name: `wrong-${index}`, text: pathText(path), path, value: wrong[index % wrong.length] };
  });
  const good = manifest("good");
  await Promise.all(
    cases.map(({ name, path, value }) =>
      operated.cluster.send("POST", APPLICATIONS, { ...manifest(name), spec: withAt(path, good.spec, value) }),
    ),
  );
  await operated.create("good");
  await operated.inState("good", "RUNNING");
  const statuses = await allSettled(operated);
  const told = cases.map(({ name, text }) => {
    const { state, errorMessage = "" } = statuses[name]?.applicationState ?? {};
    const isNamed = errorMessage.startsWith(REFUSED) && errorMessage.includes(`spec.${text}: expected`);
    return { text, state, isNamed };
  });
  expect(told).toEqual(cases.map(({ text }) => ({ text, state: "FAILED", isNamed: true })));
  expect((await operated.pods()).map(({ metadata }) => metadata?.name)).toEqual(["good-driver"]);
});

/** Values of the right type that make no sense, and the expected messages. */
const SENSELESS: readonly { readonly spec: Readonly<Record<string, unknown>>; readonly says: RegExp }[] = [
  { spec: { image: "" }, says: /must specify the driver container image/ },
  { spec: { mainClass: null }, says: /main class/ },
  { spec: { mainApplicationFile: "" }, says: /on this machine/ },
  { spec: { mode: "client" }, says: /mode "client" is not supported/ },
  { spec: { imagePullPolicy: "Sometimes" }, says: /"Sometimes" is not one of/ },
  { spec: driver({ memory: "lots" }), says: /"lots" is not a positive size/ },
  { spec: driver({ memoryOverhead: "x" }), says: /memoryOverhead: "x" is not a size/ },
  { spec: driver({ coreRequest: "a lot" }), says: /"a lot" is not a CPU quantity/ },
  { spec: driver({ coreLimit: "-1" }), says: /must be greater than or equal to 0/ },
  { spec: driver({ podName: "Not A Name" }), says: /"Not A Name" is not the name of a pod/ },
  { spec: driver({ labels: { a: "b c" } }), says: /a valid label/ },
  { spec: driver({ env: [{ name: "=" }] }), says: /a valid environment variable name/ },
  {
    spec: driver({ volumeMounts: [{ name: "spark-local-dir-1", mountPath: "/x" }] }),
    says: /spark-local-dir-1 not found/,
  },
  { spec: driver({ affinity: { nodeAffinity: "x" } }), says: /cannot be handled as a Pod/ },
  { spec: driver({ tolerations: [{ effect: "Never" }] }), says: /tolerations/ },
  { spec: driver({ sidecars: [{ name: "Bad Name", image: "x" }] }), says: /"Bad Name"/ },
  { spec: driver({ gpu: { name: "a b", quantity: 1 } }), says: /limits\[a b\]/ },
  { spec: driver({ ports: [{ name: "x", protocol: "X", containerPort: 1 }] }), says: /protocol/ },
  { spec: driver({ priorityClassName: "none" }), says: /no PriorityClass with name none/ },
  { spec: driver({ template: { kind: "Deployment" } }), says: /kind is "Deployment", not Pod/ },
  { spec: driver({ template: { spec: [] } }), says: /template.spec: expected an object/ },
  { spec: driver({ template: { spec: { containers: "x" } } }), says: /containers: expected a list/ },
  { spec: driver({ template: { spec: { containers: [{ name: "Bad Name" }] } } }), says: /"Bad Name"/ },
  { spec: driver({ template: { metadata: { labels: "x" } } }), says: /labels: expected an object/ },
  { spec: { executor: { memory: "lots" } }, says: /"lots" is not a positive size/ },
  {
    spec: { executor: { template: { spec: { containers: [{ name: "Bad Name" }] } } } },
    says: /no executor can be made/,
  },
  { spec: { nodeSelector: { a: "b" }, ...driver({ nodeSelector: { a: "b" } }) }, says: /at both/ },
  { spec: { sparkConf: { "spark.executor.instances": "many" } }, says: /"many" is not a positive number/ },
  { spec: { sparkConf: { "spark.app.large": "x".repeat(1_200_000) } }, says: /an API server takes 1048576/ },
  { spec: { sparkConf: numbered(20_000) }, says: /at most 2000 are allowed: 20000 are in spec\.sparkConf/ },
  { spec: { mainApplicationFile: "x".repeat(1_000_000) }, says: /is not allowed/ },
];

function numbered(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`spark.app.key${index}`, ""]));
}

function driver(spec: object): { readonly driver: object } {
  return { driver: { serviceAccount: "spark", ...spec } };
}

/** Names that an API server accepts for a SparkApplication, but not for a Service. */
const NO_LABELS = ["1pi", "pi.example.com", `p${"i".repeat(63)}`];

/** Each causes a notice. */
const UNKNOWN_KEYS = Object.fromEntries(
  Array.from({ length: 100 }, (_, index) => [`spark.kubernetes.no.such.${index}`, ""]),
);

test("what makes no sense, or is too large, ends in a failure that says so in a few words", async () => {
  const operated = await OperatedCluster.start();
  await operated.operate();
  const cases = SENSELESS.map(({ spec, says }, index) => ({ name: `senseless-${index}`, spec, says }));
  await Promise.all(cases.map(({ name, spec }) => operated.create(name, spec)));
  await Promise.all(NO_LABELS.map((name) => operated.create(name)));
  await operated.create("large", { arguments: ["x".repeat(1_000_000)] });
  await operated.create("talkative", { sparkConf: UNKNOWN_KEYS });
  const statuses = await allSettled(operated);
  for (const { name, says } of cases) {
    const { state, errorMessage = "" } = statuses[name]?.applicationState ?? {};
    expect({ state, errorMessage }).toEqual({ state: "FAILED", errorMessage: expect.stringMatching(says) });
    expect(errorMessage.startsWith(REFUSED), errorMessage).toBe(true);
    expect(errorMessage.length, errorMessage).toBeLessThan(1_000);
  }
  for (const name of NO_LABELS)
    expect(statuses[name]?.applicationState.errorMessage).toContain("invalid SparkApplication name");
  expect(statuses["large"]?.applicationState.state).toBe("RUNNING");
  expect(statuses["talkative"]?.applicationState.state).toBe("RUNNING");
  await eventually(async () => {
    const reasons = await operated.reasons("talkative");
    expect(reasons.filter((reason) => reason === "SparkApplicationNotice")).toHaveLength(21);
  });
  const drivers = (await operated.pods()).map(({ metadata }) => metadata?.name);
  expect(new Set(drivers)).toEqual(new Set(["large-driver", "talkative-driver"]));
});

/** Specs that would reach the operator's own disk, its tokens, or other namespaces. */
const REACHING: readonly Readonly<Record<string, unknown>>[] = [
  ...[
    ["spark.kubernetes.driver.podTemplateFile", "/etc/passwd"],
    ["spark.kubernetes.executor.podTemplateFile", "/var/run/secrets/kubernetes.io/serviceaccount/token"],
    ["spark.kubernetes.authenticate.submission.oauthTokenFile", "/var/run/secrets/kubernetes.io/serviceaccount/token"],
    ["spark.kubernetes.authenticate.driver.caCertFile", "/etc/passwd"],
    ["spark.kubernetes.authenticate.driver.serviceAccountName", "admin"],
    ["spark.kubernetes.namespace", "elsewhere"],
    [" spark.kubernetes.namespace ", "elsewhere"],
    ["spark.kubernetes.context", "other"],
    ["spark.master", "k8s://https://elsewhere"],
    ["spark.kubernetes.driver.master", "https://elsewhere"],
    ["spark.kerberos.keytab", "/etc/passwd"],
    ["spark.kubernetes.kerberos.krb5.path", "/etc/passwd"],
    ["spark.files", "file:///etc/passwd"],
    ["spark.jars", "/etc/${file}"],
    ["spark.kindling.steps", "/tmp/steps.mjs"],
    ["spark.kindling.staging.uri", "https://elsewhere"],
  ].map(([key = "", value = ""]) => ({ sparkConf: { [key]: value } })),
  { deps: { files: ["/etc/passwd"] } },
  { deps: { pyFiles: ["file:/etc/passwd"] } },
  { mainApplicationFile: "/proc/self/environ" },
];

test("nothing of the operator's own is read or written for an application", async () => {
  const operated = await OperatedCluster.start();
  await operated.operate();
  await Promise.all(REACHING.map((spec, index) => operated.create(`reaching-${index}`, spec)));
  const statuses = await allSettled(operated);
  for (const [index, spec] of REACHING.entries()) {
    const { state, errorMessage } = statuses[`reaching-${index}`]?.applicationState ?? {};
    expect({ spec, state, errorMessage }).toEqual({
      ...{ spec, state: "FAILED" },
      errorMessage: expect.stringMatching(/^failed to submit spark application: .*not allowed/),
    });
  }
  expect(await operated.cluster.contents()).toEqual([]);
});
