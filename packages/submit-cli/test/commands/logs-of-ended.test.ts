import { eventually } from "@kindling/test-kit/eventually";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { type Answer, sendJson, startStub, type StubServer } from "@kindling/test-kit/stub-server";
import { describe, expect, test } from "vitest";
import { sparkPod } from "../fixtures/driver-pod.ts";
import { type Finished, kindling } from "../fixtures/kindling-process.ts";

const RUN = {
  ...{ namespace: "spark-jobs", day: "2026-11-30", driver: "daily-driver", uid: "u-1", id: "spark-1", name: "daily" },
  ...{ application: "daily", state: "succeeded", started: 1, ended: 2 },
};
const CONFIG_MAP = {
  ...{ apiVersion: "v1", kind: "ConfigMap" },
  metadata: {
    ...{ name: "kindling", namespace: "kindling", uid: "u-2", resourceVersion: "1" },
    labels: { "app.kubernetes.io/part-of": "kindling" },
  },
  data: { "kindling.properties": "spark.kindling.recorder.uri=k8s+https://kindling/kindling-recorder:8080\n" },
};
const POD = sparkPod("daily-4711-driver", { app: "daily" });
const STARTED = { running: { startedAt: "2026-11-30T00:00:00Z" } };
const DRIVER = {
  ...POD,
  metadata: { ...POD.metadata, uid: "u-3", resourceVersion: "1" },
  status: {
    phase: "Running",
    containerStatuses: [{ name: "spark-kubernetes-driver", ready: true, state: STARTED }],
  },
};

/** An API server with an installation and a recorder behind it, and with these driver pods. */
async function apiServer(drivers: readonly object[], missing = notFound): Promise<StubServer> {
  const answers: readonly (readonly [RegExp, Answer])[] = [
    [/\/kindling\/configmaps\//, (_, response) => sendJson(response, CONFIG_MAP)],
    [/\/kindling-reader\/token$/, (_, response) => sendJson(response, { status: { token: "opaque" } }, 201)],
    [/\/proxy\/api\/v1\/runs\?/, (_, response) => sendJson(response, { runs: [RUN] })],
    [/\/proxy\/api\/v1\/runs\/u-1$/, (_, response) => sendJson(response, { run: RUN })],
    [/\/proxy\/api\/v1\/runs\/u-1\/logs\/driver$/, (_, response) => void response.end("what was said\n")],
    [/\/pods\/daily-4711-driver$/, (_, response) => sendJson(response, DRIVER)],
    [/\/log\?/, (_, response) => void response.end("what is said\n")],
    [
      /\/pods\?.*spark-app-name/,
      (_, response) =>
        sendJson(response, {
          ...{ apiVersion: "v1", kind: "PodList", metadata: { resourceVersion: "1" } },
          items: drivers,
        }),
    ],
    [
      /\/pods\?/,
      (_, response) =>
        sendJson(response, { ...{ apiVersion: "v1", kind: "PodList", metadata: { resourceVersion: "1" } }, items: [] }),
    ],
  ];
  return await startStub((request, response) => {
    const [, answer] = answers.find(([path]) => path.test(request.url)) ?? [];
    if (answer !== undefined) answer(request, response);
    else missing(request.url, response);
  });
}

function notFound(url: string, response: Parameters<Answer>[1]): void {
  const [, kind = "pods", name = ""] = /\/([a-z]+)\/([^/?]+)$/.exec(url) ?? [];
  const details = { name, kind };
  const message = `${kind} "${name}" not found`;
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason: "NotFound", code: 404 };
  sendJson(response, { ...status, message, details }, 404);
}

function logs({ url }: StubServer, defaults = ""): Promise<Finished> {
  const SPARK_CONF_DIR = scratchFolder({ "spark-defaults.conf": defaults }).path;
  return kindling(["logs", "daily", "--master", `k8s://${url}`, "-n", "spark-jobs"], { env: { SPARK_CONF_DIR } });
}

describe("kindling logs", () => {
  test("looks for the recorder while it looks for the pod", async () => {
    let tellMissing = (): void => undefined;
    const server = await apiServer([], (url, response) => {
      if (url.endsWith("/pods/daily")) tellMissing = () => notFound(url, response);
      else notFound(url, response);
    });
    const shown = logs(server);
    await eventually(() => expect(server.requests.filter(({ url }) => url.includes("/configmaps/"))).toHaveLength(2));
    tellMissing();
    expect(await shown).toEqual({ code: 0, stdout: "what was said\n", stderr: "" });
  });

  test("makes no token for the recorder if the application is there", async () => {
    const server = await apiServer([DRIVER]);
    expect((await logs(server)).stdout).toContain("what is said");
    expect(server.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("reaches the recorder as the configuration of this machine says", async () => {
    const [server, elsewhere] = [await apiServer([]), await apiServer([])];
    // The command line names the cluster, so that of the configuration does not count.
    const { stdout } = await logs(
      server,
      `spark.master k8s://${elsewhere.url}\nspark.kubernetes.trust.certificates true\n`,
    );
    expect(stdout).toBe("what was said\n");
    expect(elsewhere.requests).toEqual([]);
  });
});
