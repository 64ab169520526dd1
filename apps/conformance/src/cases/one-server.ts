import type { Answer } from "@kindling/test-kit/api-client";
import { at, type CaseContext, itemsOf } from "@kindling/test-kit/case-context";
import { expectMatch } from "@kindling/test-kit/matches";
import { expectRefusal } from "@kindling/test-kit/refusal";
import { openWebSocket } from "@kindling/test-kit/web-socket-watch";
import { type ConformanceCase, inNamespace, onlyOn } from "../conformance-case.ts";
import { start, untilPhase } from "./running-pod.ts";

const BATCH = 100;
const PARALLEL = 25;
const MOST_WRITES = 12_000;

/** Writes leases until a request that depends on the history of leases is answered with 410. */
async function untilForgotten(t: CaseContext, ask: () => Promise<Answer>): Promise<Answer> {
  const path = t.groupPath("coordination.k8s.io/v1", "leases", "one");
  await t.create(t.groupPath("coordination.k8s.io/v1", "leases"), { metadata: { name: "one" } });
  const write = async (turn: number): Promise<void> => {
    for (let index = 0; index < BATCH / PARALLEL; index += 1)
      await t.client.patch(path, "merge", { metadata: { annotations: { turn: `${turn}-${index}` } } });
  };
  for (let written = 0; written < MOST_WRITES; written += BATCH) {
    await Promise.all(Array.from({ length: PARALLEL }, async (_, index) => await write(written + index)));
    const answer = await ask();
    if (answer.status === 410) return answer;
  }
  throw new Error(`the history was still there after ${MOST_WRITES} writes`);
}

const HISTORY =
  "A real server forgets its history when etcd is compacted, every five minutes, and no client can hasten that.";

const embedded = onlyOn(
  "embedded",
  HISTORY,
  inNamespace("history", {
    "that is forgotten cannot be watched": async (t) => {
      const leases = t.groupPath("coordination.k8s.io/v1", "leases");
      const version = String(at((await t.client.get(leases)).body, "metadata.resourceVersion"));
      const watch = `${leases}?watch=true&timeoutSeconds=1&resourceVersion=${version}`;
      const answer = await untilForgotten(t, async () => {
        const { body, status, ...rest } = await t.client.get(watch);
        // A watch that has begun reports its end in an event.
        const event = body["type"] === "ERROR" ? (body["object"] as Answer["body"]) : body;
        return { ...rest, body: event, status: event["code"] === 410 ? 410 : status };
      });
      expectRefusal(answer, { code: 410, reason: "Expired", message: /^too old resource version: \d+ \(\d+\)$/ });
    },
    "that is forgotten ends a list in pages, with a way to go on": async (t) => {
      const leases = t.groupPath("coordination.k8s.io/v1", "leases");
      for (const name of ["a", "b"]) await t.create(leases, { metadata: { name } });
      const first = await t.client.get(`${leases}?limit=1`);
      const next = (answer: Answer): string => encodeURIComponent(String(at(answer.body, "metadata.continue")));
      const page = `${leases}?limit=1&continue=${next(first)}`;
      const answer = await untilForgotten(t, async () => await t.client.get(page));
      expectRefusal(answer, { code: 410, reason: "Expired", message: /^The provided continue parameter is too old/ });
      const rest = await t.client.get(`${leases}?continue=${next(answer)}`);
      expectMatch(
        itemsOf(rest).map((item) => at(item, "metadata.name")),
        ["b", "one"],
      );
    },
  }),
);

const NOT_SERVED = "The embedded server does not serve this resource: no Spark application needs it.";

const unserved = onlyOn("real", NOT_SERVED, [
  ...inNamespace("workload", {
    "jobs make pods": async (t) => {
      await t.create(t.groupPath("batch/v1", "jobs"), {
        metadata: { name: "one" },
        spec: {
          template: {
            spec: { restartPolicy: "Never", schedulerName: "none", containers: [{ name: "a", image: "b" }] },
          },
        },
      });
      await t.until(
        async () => await t.client.get(`${t.path("pods")}?labelSelector=job-name%3Done`),
        (answer) => itemsOf(answer).length === 1,
        "the pod of the job",
      );
    },
  }),
  ...inNamespace("admission", {
    "policies refuse what they forbid": async (t) => {
      const name = `conformance-${t.namespace}`;
      const group = "/apis/admissionregistration.k8s.io/v1";
      t.onEnd(async () => await t.client.delete(`${group}/validatingadmissionpolicies/${name}`));
      t.onEnd(async () => await t.client.delete(`${group}/validatingadmissionpolicybindings/${name}`));
      const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": t.namespace } };
      const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
      await t.create(`${group}/validatingadmissionpolicies`, {
        metadata: { name },
        spec: {
          matchConstraints: { namespaceSelector, resourceRules: [rule] },
          validations: [{ expression: "object.metadata.name != 'forbidden'", message: "not this one" }],
        },
      });
      await t.create(`${group}/validatingadmissionpolicybindings`, {
        metadata: { name },
        spec: { policyName: name, validationActions: ["Deny"] },
      });
      const refused = await t.until(
        async () => await t.client.post(`${t.path("configmaps")}?dryRun=All`, { metadata: { name: "forbidden" } }),
        ({ status }) => status !== 201,
        "the policy",
      );
      expectRefusal(refused, { code: 422, message: /denied request: not this one$/ });
    },
  }),
]);

const exec = onlyOn(
  "real",
  "The embedded server has no exec, attach or port-forward.",
  inNamespace("subresource", {
    "exec runs a program in a container": async (t) => {
      await start(t, "one");
      await untilPhase(t, "one", "Running");
      const upgrade = await openWebSocket(t.client, `${t.path("pods", "one")}/exec?command=/pause&stdout=true`);
      if (upgrade.kind === "open") upgrade.events.close();
      expectMatch(upgrade.kind, "open");
    },
  }),
);

const nodes = onlyOn(
  "real",
  "Hollow pods, which the cases run with on the embedded cluster, have every image, and answer no probes.",
  inNamespace("running pod", {
    "waits for an image that is nowhere": async (t) => {
      await start(t, "one", { container: { image: "nowhere.invalid/nothing:1" } });
      const waiting = "status.containerStatuses.0.state.waiting";
      const { body } = await t.until(
        async () => await t.client.get(t.path("pods", "one")),
        (answer) => /^(ErrImagePull|ImagePullBackOff)$/.test(String(at(answer.body, `${waiting}.reason`))),
        "the failure of the pull",
      );
      expectMatch(at(body, `${waiting}.message`), /nowhere\.invalid\/nothing:1/);
    },
    "is started again when it does not answer that it lives": async (t) => {
      const livenessProbe = { tcpSocket: { port: 9 }, periodSeconds: 1, failureThreshold: 1 };
      await start(t, "one", { container: { livenessProbe } });
      await t.until(
        async () => await t.client.get(t.path("pods", "one")),
        ({ body }) => Number(at(body, "status.containerStatuses.0.restartCount")) > 0,
        "the second start",
      );
    },
  }),
);

/** Cases that only one kind of server can run, each with the reason. */
export const oneServerCases: readonly ConformanceCase[] = [...embedded, ...unserved, ...exec, ...nodes];
