import { at, type CaseContext } from "@kindling/test-kit/case-context";
import type { JsonObject } from "@kindling/test-kit/json";
import { ABSENT, expectMatch } from "@kindling/test-kit/matches";
import { expectRefusal, expectSuccess } from "@kindling/test-kit/refusal";
import { type ConformanceCase, inNamespace, withoutNamespace } from "../conformance-case.ts";
import { invalidContainers } from "./invalid-containers.ts";
import type { InvalidPod } from "./invalid-pod.ts";
import { invalidPods } from "./invalid-pods.ts";
import { invalidVolumes } from "./invalid-volumes.ts";

const DRY_RUN = "/api/v1/namespaces/default/pods?dryRun=All";

function pod(spec: JsonObject): JsonObject {
  return { metadata: { name: "x" }, spec: { containers: [{ name: "a", image: "b" }], ...spec } };
}

async function refuse({ client }: CaseContext, { spec, causes }: InvalidPod): Promise<void> {
  const answer = await client.post(DRY_RUN, pod(spec));
  const told = causes.map((cause) => cause.slice(cause.indexOf(" ") + 1));
  const message = `Pod "x" is invalid: ${told.length === 1 ? told[0] : `[${told.join(", ")}]`}`;
  expectRefusal(answer, { code: 422, reason: "Invalid", causes, message });
}

function refusals(invalid: Readonly<Record<string, InvalidPod>>): ConformanceCase[] {
  return withoutNamespace(
    "pod",
    Object.fromEntries(
      Object.entries(invalid).map(([what, one]) => [`must not have ${what}`, async (t) => await refuse(t, one)]),
    ),
  );
}

async function defaulted({ client }: CaseContext, spec: JsonObject): Promise<JsonObject> {
  const answer = await client.post(DRY_RUN, pod(spec));
  expectSuccess(answer, 201);
  return answer.body;
}

const defaultingCases: readonly ConformanceCase[] = withoutNamespace("pod defaults", {
  "fill in what the pod leaves out": async (t) => {
    const made = await defaulted(t, {});
    expectMatch(made["spec"], {
      restartPolicy: "Always",
      terminationGracePeriodSeconds: 30,
      dnsPolicy: "ClusterFirst",
      serviceAccountName: "default",
      serviceAccount: "default",
      securityContext: {},
      schedulerName: "default-scheduler",
      tolerations: [
        { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 },
        { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 },
      ],
      priority: 0,
      enableServiceLinks: true,
      preemptionPolicy: "PreemptLowerPriority",
    });
    expectMatch(made["status"], { phase: "Pending", qosClass: "BestEffort" });
  },
  "fill in what a container leaves out": async (t) => {
    const made = await defaulted(t, { containers: [{ name: "a", image: "b:1", ports: [{ containerPort: 80 }] }] });
    expectMatch(at(made, "spec.containers.0"), {
      ports: [{ containerPort: 80, protocol: "TCP" }],
      resources: {},
      terminationMessagePath: "/dev/termination-log",
      terminationMessagePolicy: "File",
      imagePullPolicy: "IfNotPresent",
    });
  },
  "pull images without a tag always": async (t) => {
    const image = (name: string): JsonObject => ({ name, image: name === "b" ? "x:latest" : "x" });
    const made = await defaulted(t, { containers: [image("a"), image("b")] });
    expectMatch(at(made, "spec.containers"), [{ imagePullPolicy: "Always" }, { imagePullPolicy: "Always" }]);
  },
  "request what is limited": async (t) => {
    const resources = { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "500m" } };
    const made = await defaulted(t, { containers: [{ name: "a", image: "b", resources }] });
    expectMatch(at(made, "spec.containers.0.resources.requests"), { cpu: "500m", memory: "1Gi" });
    expectMatch(at(made, "status.qosClass"), "Burstable");
  },
  "know pods whose requests are their limits": async (t) => {
    const resources = { limits: { cpu: "1", memory: "1Gi" } };
    const made = await defaulted(t, { containers: [{ name: "a", image: "b", resources }] });
    expectMatch(at(made, "status.qosClass"), "Guaranteed");
  },
  "write amounts in their shortest form": async (t) => {
    const resources = { limits: { cpu: "1000m", memory: "1024Mi" }, requests: { cpu: "0.5", memory: "1000000Ki" } };
    const made = await defaulted(t, { containers: [{ name: "a", image: "b", resources }] });
    expectMatch(at(made, "spec.containers.0.resources"), {
      limits: { cpu: "1", memory: "1Gi" },
      requests: { cpu: "500m", memory: "1000000Ki" },
    });
  },
  "fill in probes": async (t) => {
    const made = await defaulted(t, {
      containers: [{ name: "a", image: "b", readinessProbe: { httpGet: { port: 80 } } }],
    });
    expectMatch(at(made, "spec.containers.0.readinessProbe"), {
      httpGet: { path: "/", port: 80, scheme: "HTTP" },
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    });
  },
  "fill in volumes": async (t) => {
    const made = await defaulted(t, {
      automountServiceAccountToken: false,
      volumes: [
        { name: "a" },
        { name: "b", configMap: { name: "x" } },
        { name: "c", secret: { secretName: "x" } },
        { name: "d", hostPath: { path: "/x" } },
        { name: "e", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } },
      ],
    });
    expectMatch(at(made, "spec.volumes"), [
      { name: "a", emptyDir: {} },
      { name: "b", configMap: { name: "x", defaultMode: 420 } },
      { name: "c", secret: { secretName: "x", defaultMode: 420 } },
      { name: "d", hostPath: { path: "/x", type: "" } },
      {
        name: "e",
        projected: { sources: [{ serviceAccountToken: { path: "t", expirationSeconds: 3600 } }], defaultMode: 420 },
      },
    ]);
  },
  "mount a token of the account": async (t) => {
    const made = await defaulted(t, {});
    const name = String(at(made, "spec.volumes.0.name"));
    expectMatch(name, /^kube-api-access-[a-z0-9]{5}$/);
    expectMatch(at(made, "spec.volumes.0.projected.sources"), [
      { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
      { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
      { downwardAPI: { items: [{ path: "namespace", fieldRef: { fieldPath: "metadata.namespace" } }] } },
    ]);
    expectMatch(at(made, "spec.containers.0.volumeMounts"), [
      { name, readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" },
    ]);
  },
  "mount no token if the pod does not want one": async (t) => {
    const made = await defaulted(t, { automountServiceAccountToken: false });
    expectMatch(made["spec"], { volumes: ABSENT });
  },
  "resolve a priority class": async (t) => {
    const made = await defaulted(t, { priorityClassName: "system-node-critical" });
    expectMatch(made["spec"], { priority: 2_000_001_000, preemptionPolicy: "PreemptLowerPriority" });
  },
});

const admissionCases: readonly ConformanceCase[] = inNamespace("pod admission", {
  "needs the account to be there": async (t) => {
    expectRefusal(await t.client.post(t.path("pods"), pod({ serviceAccountName: "nobody" })), {
      code: 403,
      reason: "Forbidden",
      message: `pods "x" is forbidden: error looking up service account ${t.namespace}/nobody: serviceaccount "nobody" not found`,
    });
  },
  "needs the priority class to be there": async (t) => {
    expectRefusal(await t.client.post(t.path("pods"), pod({ priorityClassName: "nobody" })), {
      code: 403,
      message: 'pods "x" is forbidden: no PriorityClass with name nobody was found',
    });
  },
  "sets the priority itself": async (t) => {
    expectRefusal(await t.client.post(t.path("pods"), pod({ priority: 5 })), {
      code: 403,
      message:
        /the integer value of priority \(5\) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name/,
    });
  },
  "waits while it has gates, which can be taken away": async (t) => {
    await t.create(t.path("pods"), pod({ schedulingGates: [{ name: "example.com/a" }] }));
    const gated = await t.client.get(t.path("pods", "x"));
    expectMatch(at(gated.body, "status.conditions"), [
      {
        type: "PodScheduled",
        status: "False",
        reason: "SchedulingGated",
        message: "Scheduling is blocked due to non-empty scheduling gates",
      },
    ]);
    const remove = await t.client.patch(t.path("pods", "x"), "merge", { spec: { schedulingGates: null } });
    expectSuccess(remove, 200);
  },
  "is given no further gates": async (t) => {
    const [first, second] = [{ name: "example.com/a" }, { name: "example.com/b" }];
    const path = t.path("pods", "x");
    const add = (schedulingGates: object[]) => t.client.patch(path, "merge", { spec: { schedulingGates } });
    await t.create(t.path("pods"), pod({ schedulingGates: [first] }));
    expectRefusal(await add([first, second]), {
      code: 422,
      reason: "Invalid",
      message:
        "Pod \"x\" is invalid: spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'example.com/b'",
    });
    await t.client.patch(path, "merge", { spec: { schedulingGates: null } });
    expectRefusal(await add([first]), { code: 422, message: /found new scheduling gate 'example\.com\/a'/ });
  },
});

export const podCases: readonly ConformanceCase[] = [
  ...refusals(invalidContainers),
  ...refusals(invalidVolumes),
  ...refusals(invalidPods),
  ...defaultingCases,
  ...admissionCases,
];
