import { type KubeObjectLike, resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APP_DIR, compileJar, prepareApplications, WORD_COUNTS } from "../clusters/applications.ts";
import {
  OperatedApplications,
  smallSpec,
  standIn,
  stateOf,
  type OperatedApplication,
  type ScheduledApplication,
} from "../clusters/operated-applications.ts";
import { kubectlWait, shownColumns } from "../clusters/kubectl.ts";
import { WISHED } from "../clusters/operated-fields.ts";
import { operatorCases, SURROUNDINGS } from "../clusters/operator-cases.ts";
import { IS_STOCK, NO_OPERATOR, startOperator, startOperatorProcess, type TestOperator } from "../clusters/operator.ts";
import { textOf } from "../clusters/requests.ts";
import { IS_INSTALLED } from "../clusters/services.ts";
import { EmptyNamespace, eventually, SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const VERSION = SPARK_VERSIONS.at(-1) ?? "";
// A stock operator takes 10 s of a processor for each submission.
const LIMIT_MS = 300_000;
const operator = IS_STOCK ? "kubeflow's operator" : "Kindling's operator";
const why = NO_OPERATOR === undefined ? "" : ` (${NO_OPERATOR})`;

describe.skipIf(NO_OPERATOR !== undefined)(`${operator}${why}`, { timeout: LIMIT_MS }, () => {
  const compiled = compileJar(VERSION);
  let namespace: TestNamespace;
  let serving: TestOperator;
  let applications: OperatedApplications;
  let cases: ReturnType<typeof operatorCases>;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    namespace = await TestNamespace.create("operator");
    ends.push(() => namespace.remove());
    const fixtures = await prepareApplications(namespace, VERSION, "jar" in compiled ? compiled.jar : undefined);
    fixtures.remove();
    await namespace.apply(SURROUNDINGS);
    serving = await startOperator(namespace);
    ends.unshift(() => serving.stop());
    applications = await OperatedApplications.watch(namespace);
    cases = operatorCases(VERSION, "jar" in compiled, applications);
    ends.unshift(() => applications.stop());
    // Stock's submissions and real drivers at the same time are too much for a small cluster.
    if (!IS_STOCK) for (const name of Object.keys(cases)) await begun(name);
  }, LIMIT_MS);
  afterAll(async () => {
    for (const end of ends) await end();
  }, LIMIT_MS);

  const made = new Map<string, Promise<unknown>>();

  async function begun(name: string): Promise<void> {
    const making = made.get(name) ?? cases[name]?.();
    if (making !== undefined) made.set(name, making);
    await making;
  }

  async function ended(name: string): Promise<OperatedApplication> {
    await begun(name);
    return await applications.untilEnded(name, LIMIT_MS);
  }

  test("an application runs, shows its UI, is suspended and resumed, and completes", async () => {
    await begun("naps");
    await applications.until("naps", ["RUNNING"]);
    const driverInfo = await eventually("the address of the UI", async () => {
      const { driverInfo: told } = (await applications.find("naps"))?.status ?? {};
      return told?.webUIAddress !== undefined && told;
    });
    expect(driverInfo).toMatchObject({ podName: "naps-driver", webUIServiceName: "naps-ui-svc", webUIPort: 4040 });
    expect(driverInfo.webUIAddress).toMatch(/^[0-9.]+:4040$/);
    const path = `/api/v1/namespaces/${namespace.name}/services/http:naps-ui-svc:4040/proxy/api/v1/applications`;
    // Spark serves it shortly after its driver runs.
    const shown = await eventually("Spark's REST API", () =>
      textOf(namespace.client, path)
        .then(JSON.parse)
        .catch(() => undefined),
    );
    const [{ metadata } = {}] = await applications.pods("naps", "driver");
    expect(shown).toMatchObject([{ id: metadata?.labels?.["spark-app-selector"], name: "naps" }]);
    const wanted = HAS_BUDGETS ? ["naps-driver"] : [];
    await eventually("a budget where there can be one", async () => (await budgets()).join() === wanted.join());

    await applications.edit("naps", { suspend: true });
    await applications.until("naps", ["SUSPENDED"]);
    await eventually("the end of the driver", async () => (await applications.pods("naps", "driver")).length === 0);
    await applications.edit("naps", { suspend: false });
    await applications.until("naps", ["RUNNING"]);
    await expectColumns();
    expect((await kubectlWait(namespace.name, "naps")) ?? MET).toContain(MET);
    expect(await applications.untilEnded("naps")).toMatchObject({
      status: { applicationState: { state: "COMPLETED" }, executionAttempts: 2 },
    });
    await eventually("the end of the budget", async () => (await budgets()).length === 0);
  });

  async function expectColumns(): Promise<void> {
    const shown = await shownColumns(namespace, "naps");
    const start = expect.stringMatching(/^20\d\d-/) as string;
    expect(shown).toMatchObject({ Name: "naps", Status: "RUNNING", Start: start });
    expect(Object.keys(shown)).toEqual(expect.arrayContaining(["Suspend", "Attempts", "Finish", "Age"]));
  }

  async function budgets(): Promise<string[]> {
    const type = await namespace.client.resourceFor("policy/v1", "PodDisruptionBudget");
    const { items } = await namespace.client.listAll(type);
    return items.map(({ metadata }) => metadata?.name ?? "");
  }

  test("an application that cannot be submitted is tried again, and fails with what was wrong", async () => {
    const { status } = await ended("refused");
    expect(await applications.statesToTheEnd("refused")).toEqual(["", "SUBMISSION_FAILED", "FAILED"]);
    expect(status?.applicationState?.errorMessage).toContain("failed to run spark-submit");
    expect(status).toMatchObject({ submissionAttempts: 4 });
    expect(await applications.pods("refused", "driver")).toEqual([]);
  });

  test("an application that fails is run again, as often as it says", async () => {
    const { status } = await ended("fails");
    expect(ALLOWED).toEqual(expect.arrayContaining([...(await applications.statesToTheEnd("fails"))]));
    expect(status?.applicationState?.errorMessage).toContain("driver container failed");
    expect(status).toMatchObject({ executionAttempts: 3 });
    expect(await applications.log("fails")).toContainEqual(expect.stringContaining("missing.jar"));
  });

  test("what users ask of pods is on drivers and executors, and applications see it", async () => {
    const { status } = await ended("dressed");
    expect(status, JSON.stringify(await applications.events("dressed"))).toMatchObject({
      applicationState: { state: "COMPLETED" },
    });
    expect(await applications.log("dressed")).toEqual(
      expect.arrayContaining([
        "FILE driver /etc/credentials/password open sesame",
        "ENV driver PASSWORD open sesame",
        "ENV driver FROM_TEMPLATE driver-env",
        "ENV driver FROM_CONF driver-conf",
        "EXECUTOR open sesame executor-env executor-conf",
        "CONF the conf",
      ]),
    );
    const executors = await eventually("the end of the executor", async () => {
      const states = Object.values((await applications.find("dressed"))?.status?.executorState ?? {});
      return !states.includes("RUNNING") && states;
    });
    expect(executors).toEqual(["COMPLETED"]);
    for (const role of ["driver", "executor"] as const) {
      const [pod] = await applications.pods("dressed", role);
      expect(pod).toMatchObject({ metadata: WISHED.metadata, spec: WISHED.spec });
      expect(pod?.spec?.tolerations).toContainEqual(expect.objectContaining(WISHED.toleration));
      expect(pod?.spec?.initContainers).toContainEqual(expect.objectContaining({ name: "first" }));
      expect(pod?.spec?.containers).toContainEqual(expect.objectContaining({ name: "sidecar" }));
      const container = pod?.spec?.containers.find(({ name }) => name === `spark-kubernetes-${role}`);
      expect(container).toMatchObject(WISHED.container);
      expect(container?.ports).toContainEqual(WISHED.port);
      expect(container?.envFrom).toContainEqual(WISHED.envFrom);
      for (const mount of [WISHED.configMap, WISHED.secret])
        expect(container?.volumeMounts).toContainEqual(expect.objectContaining(mount));
    }
  });

  test("a limit of memory is the driver's; an executor's needs a webhook, and is told of", async () => {
    await ended("dressed");
    const limit = async (role: "driver" | "executor"): Promise<string | undefined> => {
      const [pod] = await applications.pods("dressed", role);
      const container = pod?.spec?.containers.find(({ name }) => name === `spark-kubernetes-${role}`);
      return container?.resources?.limits?.["memory"];
    };
    expect(await limit("driver")).toBe("1Gi");
    expect(await limit("executor")).toBe(IS_STOCK ? "1Gi" : "896Mi");
    const events = await applications.events("dressed");
    expect(events.some((event) => event.includes("memoryLimit"))).toBe(!IS_STOCK);
  });

  test("an application completes, with its log, a mounted ConfigMap and a local directory in memory", async () => {
    const { status } = await ended("counts");
    expect(status).toMatchObject({ applicationState: { state: "COMPLETED" }, submissionAttempts: 1 });
    const lines = await applications.log("counts");
    expect(lines.filter((line) => line.startsWith("COUNT "))).toEqual(WORD_COUNTS);
    const { spec: pod } = await applications.driver("counts");
    expect(pod?.volumes).toContainEqual({ name: "spark-local-dir-1", emptyDir: { medium: "Memory" } });
    const [container] = pod?.containers ?? [];
    expect(container?.volumeMounts).toContainEqual({ name: "applications", mountPath: APP_DIR });
    expect(container?.volumeMounts).toContainEqual({ name: "spark-local-dir-1", mountPath: "/tmp/local" });
  });

  test("a schedule makes applications, and takes them along when it is deleted", async () => {
    await begun("often");
    const type = await namespace.client.resourceFor("sparkoperator.k8s.io/v1beta2", "ScheduledSparkApplication");
    const runs = async (): Promise<readonly KubeObjectLike[]> => {
      const all = await applications.all();
      const own = all.filter(({ metadata }) => metadata?.labels?.[SCHEDULED] === "often");
      return own.toSorted((one, other) => created(one) - created(other));
    };
    const [first = {}, second = {}] = await eventually("a second run", async () => {
      const all = await runs();
      return all.length > 1 && all;
    });
    const schedule = (await namespace.client.get(type, "often")) as ScheduledApplication;
    expect(schedule.status).toMatchObject({ scheduleState: "Scheduled" });
    expect(Date.parse(schedule.status?.nextRun ?? "")).toBeGreaterThan(Date.parse(schedule.status?.lastRun ?? ""));
    expect(first.metadata?.ownerReferences).toMatchObject([{ kind: "ScheduledSparkApplication", name: "often" }]);
    expect(created(second) - created(first)).toBeGreaterThanOrEqual(8_000);
    const { status } = await applications.untilEnded(first.metadata?.name ?? "");
    expect(status).toMatchObject({ applicationState: { state: "COMPLETED" } });
    await namespace.client.delete(type, "often");
    await eventually("the end of its applications", async () => (await runs()).length === 0);
  });

  const spec = (script: string, more: Parameters<typeof smallSpec>[2]): ReturnType<typeof smallSpec> =>
    smallSpec(VERSION, script, more);
  const withConf = (sparkConf: Readonly<Record<string, string>>): ReturnType<typeof smallSpec> =>
    spec("sleep.py", { sparkConf });

  test.skipIf(!IS_INSTALLED)("an application that says what it must not is refused at once", async () => {
    await applications.create("allowed", withConf({ "spark.ui.port": "4041" }), {}, DRY_RUN);
    const denied = applications.create("denied", withConf({ "spark.master": "local" }));
    await expect(denied).rejects.toThrow('sparkConf key "spark.master" is not allowed');
  });

  test.skipIf(IS_INSTALLED)("without a policy, it fails with the same words", async () => {
    await applications.create("denied", withConf({ "spark.master": "local" }));
    const { status } = await applications.untilEnded("denied");
    expect(status?.applicationState?.errorMessage).toContain('sparkConf key "spark.master" is not allowed');
    expect(await applications.pods("denied", "driver")).toEqual([]);
  });

  test.skipIf(!IS_INSTALLED)("metrics are told, and a Lease says who acts", async () => {
    await ended("counts");
    const metrics = (await serving.metrics?.()) ?? "";
    expect(metrics).toMatch(/^# HELP process_cpu_seconds_total .*\n# TYPE process_cpu_seconds_total counter$/m);
    expect(metrics).toMatch(IS_STOCK ? /^go_goroutines [1-9]/m : /^nodejs_/m);
    expect(metrics).toMatch(/^spark_application_count\{.*\} [1-9]/m);
    expect(metrics).toMatch(/^spark_application_success_count\{.*\} [1-9]/m);
    const { holder = "", pods = [] } = (await serving.lease?.()) ?? {};
    expect(pods).toContain(holder.split("_")[0]);
  });

  test.skipIf(IS_STOCK)("namespaces are chosen by their labels, also by those that they get later", async () => {
    const chosen = await EmptyNamespace.create("operator-chosen");
    const labels = { "kindling-e2e": chosen.name };
    await chosen.client.patch(resources.namespaces, chosen.name, "merge", { metadata: { labels } });
    const later = await TestNamespace.create("operator-later");
    const watched = await OperatedApplications.watch(later);
    const selecting = await startOperatorProcess(later, [`--namespace-selector=kindling-e2e=${chosen.name}`]);
    try {
      await watched.create("waits", spec("sleep.py", { driver: { ...standIn(["true"]), volumeMounts: [] } }));
      expect(stateOf((await watched.find("waits")) ?? {})).toBe("");
      await later.client.patch(resources.namespaces, later.name, "merge", { metadata: { labels } });
      expect(stateOf(await watched.untilEnded("waits"))).toBe("COMPLETED");
    } finally {
      await selecting.stop();
      await watched.stop();
      await Promise.all([chosen.remove(), later.remove()]);
    }
  });
});

function created({ metadata }: KubeObjectLike): number {
  const { creationTimestamp = "" } = (metadata ?? {}) as { readonly creationTimestamp?: string };
  return Date.parse(creationTimestamp);
}

/** Stock has them on its main branch only. */
const HAS_BUDGETS = IS_INSTALLED && !IS_STOCK;
/** The output of kubectl, if it is installed. */
const MET = "condition met";
const DRY_RUN = { dryRun: true };
const SCHEDULED = "sparkoperator.k8s.io/scheduled-app-name";
const ALLOWED = ["", "SUBMITTED", "RUNNING", "FAILING", "PENDING_RERUN", "FAILED"];
