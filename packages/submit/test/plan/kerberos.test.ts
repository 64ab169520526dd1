import { createRedactor } from "@kindling/core-spec";
import { describe, expect, test } from "vitest";
import { hidePlanned, plan, planExecutor, type PlanInput, type SubmissionPlan } from "../../src/index.ts";
import { planInput } from "../fixtures/plan-input.ts";

const TOKENS = Buffer.from("the file of tokens").toString("base64");
const KRB5 = { "spark.kubernetes.kerberos.krb5.path": "/etc/krb5.conf" };
const KRB5_FILE = { "/etc/krb5.conf": "[libdefaults]\n" };

function withTokens(
  conf: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
): PlanInput {
  return { ...planInput(conf, files), delegationTokens: TOKENS };
}

interface Named {
  readonly kind?: string;
  readonly metadata?: { readonly name?: string };
  readonly data?: Readonly<Record<string, string>>;
}

function named({ objects }: SubmissionPlan, ending: string): Named | undefined {
  const all: readonly Named[] = [...objects.preResources, ...objects.resources] as readonly Named[];
  return all.find(({ metadata }) => metadata?.name?.endsWith(ending));
}

const mountsOf = (input: PlanInput): (string | undefined)[] =>
  planExecutor(input).objects.flatMap((object) =>
    object.kind === "Pod" && "spec" in object
      ? (object.spec?.containers ?? []).flatMap(({ volumeMounts = [] }) =>
          volumeMounts.map(({ mountPath }) => mountPath),
        )
      : [],
  );

describe("delegation tokens that were fetched", () => {
  test("go into a Secret as Spark's own, and the driver is told where they are", () => {
    const planned = plan(withTokens());
    expect(named(planned, "-delegation-tokens")).toMatchObject({
      kind: "Secret",
      immutable: true,
      data: { "hadoop-tokens": TOKENS },
    });
    const { spec } = planned.objects.pod;
    const name = named(planned, "-delegation-tokens")?.metadata?.name;
    expect(spec?.volumes).toContainEqual({ name: "hadoop-secret", secret: { secretName: name } });
    const [driver] = spec?.containers ?? [];
    expect(driver?.volumeMounts).toContainEqual({
      name: "hadoop-secret",
      mountPath: "/mnt/secrets/hadoop-credentials",
    });
    expect(driver?.env).toContainEqual({
      name: "HADOOP_TOKEN_FILE_LOCATION",
      value: "/mnt/secrets/hadoop-credentials/hadoop-tokens",
    });
  });

  test("are in no ConfigMap, and are hidden from what is shown", () => {
    const planned = plan(withTokens());
    const maps = [...planned.objects.preResources, ...planned.objects.resources].filter(
      ({ kind }) => kind === "ConfigMap",
    );
    expect(JSON.stringify(maps)).not.toContain(TOKENS);
    const secrets = createRedactor();
    hidePlanned(planned, secrets);
    expect(secrets.clean(`a fault with ${TOKENS}`)).not.toContain(TOKENS);
  });
});

describe("executors get the driver's krb5.conf", () => {
  test("with tokens, by their pod template", () => {
    const input = withTokens(KRB5, KRB5_FILE);
    expect(mountsOf(input)).toContain("/etc/krb5.conf");
    const template = named(plan(input), "-driver-podspec-conf-map");
    expect(template?.data?.["podspec-configmap-key"]).toContain("-krb5-file");
  });

  test("if they are to have it, also without tokens", () => {
    const conf = {
      "spark.kubernetes.kerberos.krb5.configMapName": "krb5",
      "spark.kindling.kerberos.executors": "true",
    };
    expect(mountsOf(planInput(conf))).toContain("/etc/krb5.conf");
  });

  test.each<[string, PlanInput]>([
    ["without tokens", planInput(KRB5, KRB5_FILE)],
    ["if they are not to have it", withTokens({ ...KRB5, "spark.kindling.kerberos.executors": "false" }, KRB5_FILE)],
    ["if there is none", withTokens()],
  ])("not %s", (_, input) => {
    expect(mountsOf(input)).not.toContain("/etc/krb5.conf");
    expect(named(plan(input), "-driver-podspec-conf-map")).toBeUndefined();
  });

  test("once, if their template or the configuration has one already", () => {
    const template =
      "spec:\n  containers: [{name: x, volumeMounts: [{name: k, mountPath: /etc/krb5.conf}]}]\n  volumes: [{name: k, configMap: {name: mine}}]\n";
    const byTemplate = withTokens(
      { ...KRB5, "spark.kubernetes.executor.podTemplateFile": "/t.yaml" },
      { ...KRB5_FILE, "/t.yaml": template },
    );
    const byKey = withTokens({ ...KRB5, "spark.kubernetes.executor.secrets.krb5": "/etc/krb5.conf" }, KRB5_FILE);
    for (const input of [byTemplate, byKey]) {
      expect(mountsOf(input).filter((path) => path === "/etc/krb5.conf")).toHaveLength(1);
    }
  });
});
