import { setImmediate } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../http/caller.ts";
import { ProblemError } from "../http/problem.ts";
import { visibleNamespaces } from "../http/visible-namespaces.ts";
import { type Run, type Usage, UsageSum } from "@kindling/recorder-client";
import type { RecorderContext } from "./recorder-context.ts";
import { historyQuery, RUN_QUERY, type RunQuery } from "./run-query.ts";

interface UsageQuery extends RunQuery {
  readonly by: string;
}

/** What the runs of a group have reserved together. */
interface GroupUsage {
  /** The queue, the namespace, the name, or the value of the label; missing for runs without one. */
  readonly key?: string;
  readonly runs: number;
  readonly usage: readonly Usage[];
}

/** Other requests have a turn after so many runs. */
const RUNS_IN_A_TURN = 2_000;

/** What runs have reserved, in groups: by queue, namespace, name or label. */
export function usageRoute(app: FastifyInstance, { history }: RecorderContext): void {
  app.get("/api/v1/usage", {
    schema: {
      querystring: {
        type: "object",
        additionalProperties: false,
        properties: { ...RUN_QUERY, by: { type: "string", maxLength: 320, default: "queue" } },
      },
    },
    async handler(request) {
      const query = request.query as UsageQuery;
      const keyOf = groupBy(query.by);
      const mayShow = await visibleNamespaces(callerOf(request), history.namespaces, query.namespace);
      const groups = new Map<string | undefined, Group>();
      let count = 0;
      for (const run of history.matching(historyQuery(query, mayShow))) {
        const key = keyOf(run);
        const group = groups.get(key) ?? { runs: 0, sum: new UsageSum() };
        group.runs++;
        for (const usage of run.usage) group.sum.add(usage);
        groups.set(key, group);
        if (++count % RUNS_IN_A_TURN === 0) await setImmediate();
      }
      return { groups: [...groups].map(groupUsage) };
    },
  });
}

interface Group {
  runs: number;
  readonly sum: UsageSum;
}

function groupUsage([key, { runs, sum }]: readonly [string | undefined, Group]): GroupUsage {
  return { ...(key !== undefined && { key }), runs, usage: sum.usages };
}

const GROUPS: Readonly<Record<string, (run: Run) => string | undefined>> = {
  queue: ({ queue }) => queue,
  namespace: ({ namespace }) => namespace,
  name: ({ name }) => name,
};

function groupBy(by: string): (run: Run) => string | undefined {
  const label = /^label:(.+)$/s.exec(by)?.[1];
  if (label !== undefined) return ({ labels }) => (Object.hasOwn(labels, label) ? labels[label] : undefined);
  const group = Object.hasOwn(GROUPS, by) ? GROUPS[by] : undefined;
  if (group !== undefined) return group;
  throw new ProblemError("invalid-request", "query parameter by is not understood", {
    hint: "there are queue, namespace, name, and label:KEY",
  });
}
