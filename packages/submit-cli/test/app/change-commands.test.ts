import { beforeEach, describe, expect, test } from "vitest";
import { application, OperatedCluster, schedule } from "../fixtures/operated-cluster.ts";

let operated: OperatedCluster;

beforeEach(async () => {
  operated = await OperatedCluster.start();
  await operated.apply(application("pi"));
});

describe("suspend and resume", () => {
  test("change the spec of applications and schedules, and nothing that is so already", async () => {
    await operated.apply(schedule("nightly"));
    expect(await operated.run(["suspend", "pi"])).toEqual({ code: 0, stdout: "suspended spark-jobs:pi\n", stderr: "" });
    expect((await operated.stored("pi")).spec).toMatchObject({ suspend: true });
    expect((await operated.run(["suspend", "pi"])).stdout).toBe("spark-jobs:pi is suspended already\n");
    expect((await operated.run(["resume", "p*"])).stdout).toBe("resumed spark-jobs:pi\n");
    expect((await operated.run(["resume", "pi"])).stdout).toBe("spark-jobs:pi is not suspended\n");
    expect((await operated.run(["suspend", "--scheduled", "nightly"])).stdout).toBe("suspended spark-jobs:nightly\n");
    expect(operated.cluster.api.writes.map(({ method, body }) => [method, body])).toEqual([
      ["PATCH", { spec: { suspend: true } }],
      ["PATCH", { spec: { suspend: false } }],
      ["PATCH", { spec: { suspend: true } }],
    ]);
  });

  test("say that what has ended stays so", async () => {
    await operated.tellState("pi", "COMPLETED");
    expect((await operated.run(["suspend", "pi"])).stderr).toBe(
      "note: spark-jobs:pi has ended: COMPLETED; it stays so until it is to run again\n",
    );
  });
});

test("delete takes away what is there, and fails for what is not", async () => {
  await operated.apply(schedule("nightly"));
  const { code, stdout, stderr } = await operated.run(["delete", "absent", "pi"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "deleted spark-jobs:pi\n" });
  expect(stderr).toMatch(/^error: no SparkApplication in namespace spark-jobs is called "absent"\n/);
  expect((await operated.run(["delete", "--scheduled", "nightly"])).stdout).toBe("deleted spark-jobs:nightly\n");
  await expect(operated.stored("pi")).rejects.toThrow("404");
  expect((await operated.run(["delete"])).stderr).toMatch(/^error: which one\? name it\nhint: /);
});

describe("rerun", () => {
  const annotated = {
    driver: { cores: 1, annotations: { "operator.kindling/rerun": expect.stringMatching(/^20.*Z$/) } },
  };

  test("changes a part of the spec that only the operator sees", async () => {
    await operated.tellState("pi", "COMPLETED");
    const { metadata, spec } = await operated.stored("pi");
    expect(await operated.run(["rerun", "pi"])).toEqual({
      code: 0,
      stdout: "spark-jobs:pi is to run again\n",
      stderr: "",
    });
    const after = await operated.stored("pi");
    expect(after.spec).toEqual({ ...spec, ...annotated });
    expect(after.metadata.generation).toBe(metadata.generation + 1);
  });

  test("of what runs is for who wants it", async () => {
    await operated.tellState("pi", "RUNNING");
    const said = "spark-jobs:pi is RUNNING: another run ends this one";
    expect(await operated.run(["rerun", "pi"])).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: ${said}\nhint: pass --yes if that is what you want\n`,
    });
    const questions: string[] = [];
    const answer = (text: boolean) => (question: string) => {
      questions.push(question);
      return Promise.resolve(text);
    };
    expect((await operated.run(["rerun", "pi"], answer(false))).code).toBe(1);
    expect(operated.cluster.api.writes).toEqual([]);
    expect((await operated.run(["rerun", "pi"], answer(true))).code).toBe(0);
    expect(questions).toEqual([`${said}. Run it again?`, `${said}. Run it again?`]);
    expect((await operated.run(["rerun", "--yes", "pi"])).code).toBe(0);
    expect((await operated.stored("pi")).spec).toMatchObject(annotated);
  });

  test("--wait waits for the end of the new run, and not for that of the one before", async () => {
    const told = (submissionID: string, state: string): Promise<void> =>
      operated.tell("pi", { submissionID, applicationState: { state }, driverInfo: {} });
    await told("one", "FAILED");
    const running = operated.startApp(["rerun", "pi", "--wait"]);
    await running.saying("is to run again");
    await told("one", "INVALIDATING");
    await running.saying("INVALIDATING");
    await told("two", "COMPLETED");
    const { code, stderr } = await running.ended;
    expect(code).toBe(0);
    expect(stderr).toBe("INVALIDATING spark-jobs:pi\nCOMPLETED spark-jobs:pi\n");
  });

  test("of what is suspended says so", async () => {
    await operated.run(["suspend", "pi"]);
    await operated.tellState("pi", "SUSPENDED");
    expect((await operated.run(["rerun", "pi"])).stderr).toBe(
      "note: it is suspended; kindling app resume spark-jobs:pi lets it run\n",
    );
  });
});

test("what a user may not do is told with the right that is missing", async () => {
  operated.cluster.api.fault = ({ method }) =>
    method === "PATCH"
      ? {
          ...{ kind: "status", status: 403, reason: "Forbidden" },
          message:
            'sparkapplications.sparkoperator.k8s.io "pi" is forbidden: User "jane" cannot patch resource "sparkapplications" in API group "sparkoperator.k8s.io" in the namespace "spark-jobs"',
        }
      : undefined;
  const { code, stderr } = await operated.run(["suspend", "pi"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^error: sparkapplications.* is forbidden: .*\nhint: let an administrator grant it: kubectl .*\n$/,
  );
});
