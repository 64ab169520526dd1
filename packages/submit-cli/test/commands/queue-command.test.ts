import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { sendJson, startStub, type StubServer } from "@kindling/test-kit/stub-server";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { kindling, kubeconfigFor, startKindling } from "../fixtures/kindling-process.ts";

const GI = 1024 ** 3;

const OVERVIEW = {
  apiVersion: "gateway.kindling/v1",
  kind: "Overview",
  at: 1_767_225_600_000,
  capacity: {
    kind: "nodes",
    nodes: 2,
    total: { cpu: 16_000, memory: 64 * GI, pods: 220 },
    used: { cpu: 6500, memory: 12 * GI },
    usedByOthers: {},
  },
  queues: [
    queue("etl", { weight: 3, guarantee: { cpu: 8000 }, share: 0.375, waitingExecutors: 4 }),
    queue("etl.daily", { share: 0.375, waitingExecutors: 4 }),
    queue("adhoc", { ceiling: { cpu: 4000 }, used: {}, applications: { SchedulingGated: 1, Pending: 0, Running: 0 } }),
  ],
  applications: [
    application("report", "etl.daily"),
    application("sessions", "etl.daily", {
      executors: { waiting: 4, admitted: 0, pending: 0, running: 2, leaving: 0, keepers: 0 },
      waits: ["waiting for 4 CPUs in queue etl.daily; ahead: 1 application"],
    }),
    application("notebook", "adhoc", {
      namespace: "team",
      state: "SchedulingGated",
      waits: ["the ceiling of queue adhoc is 4 CPUs"],
    }),
  ],
};

function queue(path: string, changes: object): object {
  const applications = { SchedulingGated: 0, Pending: 0, Running: 2 };
  const used = { cpu: 3000, memory: 6 * GI, pods: 3 };
  return {
    path,
    parent: "",
    weight: 1,
    guarantee: {},
    ceiling: {},
    used,
    share: 0,
    applications,
    waitingExecutors: 0,
    ...changes,
  };
}

function application(name: string, inQueue: string, changes: object = {}): object {
  return {
    namespace: "spark-jobs",
    id: `spark-${name}`,
    name,
    driver: { pod: `${name}-driver`, uid: name },
    queue: inQueue,
    priority: 0,
    state: "Running",
    since: Date.now() - 3_600_000,
    minimumExecutors: 1,
    executors: { waiting: 0, admitted: 0, pending: 0, running: 2, leaving: 0, keepers: 0 },
    used: { cpu: 3000 },
    waits: [],
    ...changes,
  };
}

const PROXIED = "/api/v1/namespaces/kindling/services/http:kindling-gateway:8081/proxy/api/overview";

function gateway(overview: object = OVERVIEW): Promise<StubServer> {
  return startStub(({ url }, response) => sendJson(response, overview, url === "/api/overview" ? 200 : 404));
}

/** An API server without an installation, which forwards to the gateway, or says why it does not. */
function apiServer(status = 200, body: object = OVERVIEW): Promise<StubServer> {
  const none = failure(404, "NotFound", 'configmaps "kindling" not found');
  return startStub(({ url }, response) =>
    url.endsWith("/configmaps/kindling") ? sendJson(response, none, 404) : sendJson(response, body, status),
  );
}

/** The paths of requests to a gateway. */
const asked = ({ requests }: StubServer): string[] =>
  requests.map(({ url }) => url).filter((url) => !url.endsWith("/configmaps/kindling"));

function failure(code: number, reason: string, message: string): object {
  return { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message };
}

describe("kindling queue", () => {
  test("says first that the file of queues is refused, and whose the queues are", async () => {
    const fault =
      "the file of queues is refused, and the queues are as they were before: queues.yaml:2: a name is wrong";
    const queues = [queue("etl", { namespaces: "etl-*, night" }), queue("adhoc", {})];
    const { url } = await gateway({ ...OVERVIEW, queues, queueFaults: [fault] });
    const { stdout } = await kindling(["queue", "--gateway", url]);
    expect(
      stdout
        .split("\n")
        .filter((line) => line !== "")
        .slice(0, 5),
    ).toEqual([
      fault,
      expect.stringMatching(/^6\.5 of 16 cpu/),
      expect.stringMatching(/EXECUTORS WAITING +NAMESPACES$/),
      expect.stringMatching(/^etl .* etl-\*, night$/),
      expect.stringMatching(/^adhoc .* all$/),
    ]);
  });

  test("shows queues, and what waits in them with why", async () => {
    const { url } = await gateway();
    const { code, stdout, stderr } = await kindling(["queue", "--gateway", url]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      "6.5 of 16 cpu and 12Gi of 64Gi memory used on 2 nodes",
      "",
      expect.stringMatching(/^QUEUE +SHARE +WEIGHT +USED +GUARANTEE +CEILING +APPLICATIONS +EXECUTORS WAITING$/),
      expect.stringMatching(/^etl +38% +3 +3 cpu, 6Gi memory +8 cpu +- +2 Running +4$/),
      expect.stringMatching(/^etl\.daily +38% +1 /),
      expect.stringMatching(/^adhoc +0% +1 +- +- +4 cpu +1 SchedulingGated +0$/),
      "",
      expect.stringMatching(/^DRIVER POD +APPLICATION +QUEUE +PRIORITY +STATE +EXECUTORS +AGE$/),
      expect.stringMatching(/^spark-jobs:sessions-driver +sessions +etl\.daily +0 +Running +2\/6 +\d+m$/),
      "  waiting for 4 CPUs in queue etl.daily; ahead: 1 application",
      expect.stringMatching(/^team:notebook-driver +notebook +adhoc +0 +SchedulingGated +2 +\d+m$/),
      "  the ceiling of queue adhoc is 4 CPUs",
      "",
    ]);
  });

  test("says whose sessions a driver of Spark Connect has, to people and to programs", async () => {
    const connects = [
      { profile: "small", state: "in-use", user: "alice" },
      { profile: "small", state: "waiting" },
    ];
    const applications = connects.map((connect, index) =>
      application(`connect-${index}`, "adhoc", { connect, waits: index === 0 ? ["the ceiling of queue adhoc"] : [] }),
    );
    const { url } = await gateway({ ...OVERVIEW, applications });
    const { stdout } = await kindling(["queue", "adhoc", "--gateway", url]);
    expect(stdout.trimEnd().split("\n").slice(-5)).toEqual([
      expect.stringMatching(/^spark-jobs:connect-0-driver /),
      "  Spark Connect, profile small, of alice",
      "  the ceiling of queue adhoc",
      expect.stringMatching(/^spark-jobs:connect-1-driver /),
      "  Spark Connect, profile small, waits for a session",
    ]);
    const json = await kindling(["queue", "-o", "json", "--gateway", url]);
    const document = JSON.parse(json.stdout) as { applications: { connect: object }[] };
    expect(document.applications.map(({ connect }) => connect)).toEqual(connects);
  });

  test("shows what autoscalers may still add", async () => {
    const toCome = {
      nodes: 1,
      classes: [
        { name: "NodePool spark", left: { cpu: 8000, pods: 9 }, limit: { cpu: 24_000, pods: 99 } },
        { name: "NodePool any", left: {}, limit: {} },
        { name: "NodePool gpu", left: { cpu: 8000 }, limit: { cpu: 8000 }, unready: "NodeClass not found" },
      ],
    };
    const { url } = await gateway({ ...OVERVIEW, capacity: { ...OVERVIEW.capacity, toCome } });
    const { stdout } = await kindling(["queue", "--gateway", url]);
    expect(stdout.split("\n").slice(0, 7)).toEqual([
      "6.5 of 16 cpu and 12Gi of 64Gi memory used on 2 nodes",
      "May still come:",
      "  1 node has been ordered",
      "  NodePool spark: 8 of 24 cpu",
      "  NodePool any: no limit",
      "  NodePool gpu: none now (NodeClass not found)",
      "",
    ]);
  });

  test("shows one queue with those below it, and all of its applications", async () => {
    const { url } = await gateway();
    const { stdout } = await kindling(["queue", "etl", "--gateway", url]);
    expect(stdout).toMatch(/^etl\.daily /m);
    expect(stdout).toMatch(/report-driver[^]*sessions-driver/);
    expect(stdout).not.toMatch(/adhoc|notebook/);
  });

  test("gives data, of one namespace's applications if that is asked for", async () => {
    const { url } = await gateway();
    const json = await kindling(["queue", "-n", "team", "-o", "json", "--gateway", url]);
    const document = JSON.parse(json.stdout) as { queues: object[]; applications: object[] };
    expect(document).toMatchObject({ apiVersion: "gateway.kindling/v1", kind: "Overview" });
    expect(document.queues).toHaveLength(3);
    expect(document.applications).toMatchObject([
      { name: "notebook", driverPod: "notebook-driver", state: "SchedulingGated" },
    ]);
    const yaml = await kindling(["queue", "-n", "team", "-o", "yaml", "--gateway", url]);
    expect(parse(yaml.stdout)).toEqual(document);
  });

  test("goes on with --watch until it is interrupted", async () => {
    const { url } = await gateway();
    const running = startKindling(["queue", "-w", "--gateway", url]);
    await running.saying("adhoc is 4 CPUs");
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
  });
});

describe("without an address, the gateway is reached through the API server", () => {
  test("as the service that drivers talk to, by the configuration of submissions", async () => {
    const server = await apiServer();
    const env = { KUBECONFIG: kubeconfigFor(server, { token: "mine" }) };
    const { code, stdout } = await kindling(["queue"], { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("sessions-driver") as string });
    expect(asked(server)).toEqual([PROXIED]);
    expect(server.requests[0]?.headers.authorization).toBe("Bearer mine");

    const conf = scratchFolder();
    conf.write("spark-defaults.conf", "spark.kindling.scheduler.uri https://gw.other.svc:8443\n");
    await kindling(["queue"], { env: { ...env, SPARK_CONF_DIR: conf.path } });
    await kindling(["queue", "--gateway", "a/b:9000"], { env });
    expect(asked(server).slice(1)).toEqual([
      PROXIED.replace("kindling", "other").replace("kindling-gateway", "gw"),
      PROXIED.replace("kindling", "a").replace("kindling-gateway:8081", "b:9000"),
    ]);
  });

  test.each([
    [
      failure(
        403,
        "Forbidden",
        'services "http:kindling-gateway:8081" is forbidden: User "jane" cannot get resource "services/proxy" in API group "" in the namespace "kindling"',
      ),
      "the administrator of the gateway can allow it: the chart's value queueReaders, or kubectl -n kindling create rolebinding kindling-queues-USER --role=kindling-queues --user=USER\n",
    ],
    [
      failure(404, "NotFound", 'services "kindling-gateway" not found'),
      "there is no service kindling-gateway in namespace kindling\nhint: an installation is looked for in the current namespace: name one that it serves with -n",
    ],
    [
      failure(503, "ServiceUnavailable", 'no endpoints available for service "http:kindling-gateway:8081"'),
      "check that a gateway is ready",
    ],
  ])("what it refuses with is explained: %j", async (body, words) => {
    const server = await apiServer((body as { code: number }).code, body);
    const { code, stderr } = await kindling(["queue"], { env: { KUBECONFIG: kubeconfigFor(server) } });
    expect(code).toBe(1);
    expect(stderr).toContain(words);
  });
});

test("who may not see a gateway that the chart has not made is told of the role, too", async () => {
  const server = await apiServer(403, failure(403, "Forbidden", 'services "http:gw:9000" is forbidden'));
  const env = { KUBECONFIG: kubeconfigFor(server) };
  const { code, stderr } = await kindling(["queue", "--gateway", "a/gw:9000"], { env });
  expect(code).toBe(1);
  expect(stderr).toContain(
    "allow it: kubectl -n a create role kindling-queues --verb=get --resource=services/proxy --resource-name=http:gw:9000; kubectl -n a create rolebinding kindling-queues-USER ",
  );
});

describe("what goes wrong is said with what to do", () => {
  test("a queue that is not there", async () => {
    const { url } = await gateway();
    const { code, stderr } = await kindling(["queue", "etl.dayly", "--gateway", url]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: the gateway has no queue "etl.dayly"\nhint: did you mean etl.daily?\n',
    });
  });

  test("a place that is none", async () => {
    const { code, stderr } = await kindling(["queue", "--gateway", "nowhere"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: --gateway "nowhere" is neither a URI nor a service\nhint: name an http/);
  });

  test("a server that is no gateway, one that tells nothing, and none at all", async () => {
    const other = await startStub((_, response) => sendJson(response, { kind: "Pod" }));
    expect((await kindling(["queue", "--gateway", other.url])).stderr).toMatch(
      /is not a gateway of Kindling\nhint: name/,
    );
    expect((await kindling(["queue", "--gateway", `${(await gateway()).url}/other`])).stderr).toMatch(
      /tells of no queues\nhint: /,
    );
    await other.close();
    expect((await kindling(["queue", "--gateway", other.url])).stderr).toMatch(/^error: the gateway does not answer: /);
  });
});

test("a shell is offered the queues", async () => {
  const { url } = await gateway();
  const { stdout } = await kindling(["complete", "queues", "--", "kindling", "queue", "--gateway", url]);
  expect(stdout).toBe("adhoc\netl\netl.daily\n");
});
