import { type RecorderClient, RecorderError, type RunQuery } from "@kindling/recorder-client";
import { systemClock } from "@kindling/outside";
import { expect, test } from "vitest";
import { historyFilterOf } from "../../../src/console/history/history-filter.ts";
import { visibleHistory } from "../../../src/console/history/visible-history.ts";
import { aKeptRun, aRun } from "./sample-history.ts";

const ADA = { username: "ada", uid: "", groups: [], extra: {} };

/** The history of a recorder that keeps these namespaces, for somebody who may read some of them. */
function historyOf(known: readonly string[], mayRead: (namespace: string | undefined) => boolean) {
  const queries: RunQuery[] = [];
  const missing: string[] = [];
  const unread = (): never => {
    throw new RecorderError("it answers with status 500", { status: 500 });
  };
  const client: Partial<RecorderClient> = {
    namespaces: () => Promise.resolve(known),
    runPage(query) {
      queries.push(query);
      // A recorder that answers more than it was asked for.
      return Promise.resolve({ runs: known.map((namespace) => aRun("daily", { namespace, uid: `uid-${namespace}` })) });
    },
    record: () => Promise.resolve(aKeptRun().record),
    ...{ executors: unread, stages: unread, log: unread },
  };
  const history = visibleHistory({
    recorder: { ask: (question) => question(client as RecorderClient), close: () => undefined },
    ask: (_, { namespace, ...right }) => {
      expect(right).toEqual({ verb: "get", resource: "pods", subresource: "log" });
      return Promise.resolve({ allowed: mayRead(namespace) });
    },
    clock: systemClock,
    onMissing: (part) => void missing.push(part),
  });
  return { history, queries, missing };
}

const ALL = historyFilterOf(new URLSearchParams());

test("a list is of the namespaces that somebody may read, whatever the recorder answers", async () => {
  const { history, queries } = historyOf(
    ["etl", "ml", "secret"],
    (namespace) => namespace === "etl" || namespace === "ml",
  );
  const { runs, namespaces } = await history.list(ADA, ALL);
  expect(runs.map(({ namespace }) => namespace)).toEqual(["etl", "ml"]);
  expect(namespaces).toEqual(["etl", "ml"]);
  await history.list(ADA, { ...ALL, namespace: "ml" });
  expect((await history.list(ADA, { ...ALL, namespace: "secret" })).runs).toEqual([]);
  expect(queries.map((query) => query.namespaces)).toEqual([["etl", "ml"], ["ml"]]);
});

test("somebody who may read nothing causes no question about runs", async () => {
  const { history, queries } = historyOf(["etl"], () => false);
  expect(await history.list(ADA, ALL)).toEqual({ runs: [], namespaces: [], asked: 0 });
  expect(queries).toEqual([]);
});

test("more namespaces than one question has room for are not all asked about", async () => {
  const known = Array.from({ length: 250 }, (_, index) => `ns-${index}`);
  const { history, queries } = historyOf(known, () => true);
  expect(await history.list(ADA, ALL)).toMatchObject({ asked: 200, namespaces: { length: 250 } });
  expect((await history.list(ADA, { ...ALL, namespace: "ns-240" })).runs.length).toBe(1);
  expect(queries.map(({ namespaces = [] }) => namespaces.length)).toEqual([200, 1]);
});

test("a run is shown at its own address only, and without parts that cannot be read", async () => {
  const { history, missing } = historyOf(["spark-jobs"], () => true);
  const uid = "uid-daily";
  expect(await history.run(ADA, { namespace: "other", uid })).toBeUndefined();
  expect(await history.run(ADA, { namespace: "spark-jobs", uid: "uid-2" })).toBeUndefined();
  expect(await history.run(ADA, { namespace: "..", uid })).toBeUndefined();
  const found = await history.run(ADA, { namespace: "spark-jobs", uid });
  expect(found).toMatchObject({ record: { run: { uid } }, lives: undefined, stages: undefined, log: undefined });
  expect(missing.toSorted()).toEqual(["executors", "log", "stages"]);
});
