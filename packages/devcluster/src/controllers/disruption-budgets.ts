import { type Condition, isObject, type JsonObject } from "@kindling/kube-objects";
import { selectorFromSpec } from "@kindling/api-server";
import { type Pod, isFinished } from "../objects/pod.ts";
import { setCondition } from "../objects/conditions.ts";
import { QueueController } from "./queue-controller.ts";
import { isReady } from "./workloads/owned-pods.ts";

/** Counts how many pods of each disruption budget may be evicted. */
export class DisruptionBudgetController extends QueueController {
  override start(): void {
    const { store } = this.context.api;
    const budgets = store.collection("poddisruptionbudgets.policy");
    this.follow(budgets, ({ object }) => this.add(object.object));
    this.follow(store.collection("pods"), ({ object }) => {
      if (budgets.size === 0) return;
      for (const budget of budgets.list(object.object.metadata.namespace)) this.add(budget.object);
    });
  }

  protected override sync(key: string): void {
    const { store, types, clock } = this.context.api;
    const budget = store.collection("poddisruptionbudgets.policy").getByKey(key)?.object;
    if (budget === undefined) return;
    const spec = isObject(budget["spec"]) ? budget["spec"] : {};
    const selector = isObject(spec["selector"]) ? spec["selector"] : undefined;
    const matches = selector === undefined ? (): boolean => false : selectorFromSpec(selector);
    const pods = [...store.collection("pods").list(budget.metadata.namespace)]
      .map(({ object }) => object as Pod)
      .filter((pod) => matches(pod.metadata.labels) && !isFinished(pod));
    const healthy = pods.filter(isReady).length;
    const desired = desiredHealthy(spec, pods.length);
    const allowed = Math.max(0, healthy - desired);
    this.writer.updateStatus(types.builtIn("poddisruptionbudgets", "policy"), budget.metadata, (current) => {
      const known = isObject(current["status"]) ? current["status"]["conditions"] : undefined;
      const condition: Condition = {
        type: "DisruptionAllowed",
        status: allowed > 0 ? "True" : "False",
        reason: allowed > 0 ? "SufficientPods" : "InsufficientPods",
        message: "",
        observedGeneration: budget.metadata.generation ?? 1,
      };
      return {
        observedGeneration: budget.metadata.generation ?? 1,
        disruptionsAllowed: allowed,
        currentHealthy: healthy,
        desiredHealthy: desired,
        expectedPods: pods.length,
        conditions: setCondition(Array.isArray(known) ? (known as Condition[]) : [], condition, clock.now()),
      };
    });
  }
}

function desiredHealthy(spec: JsonObject, total: number): number {
  const amount = (value: unknown, round: (value: number) => number): number | undefined => {
    if (typeof value === "number") return value;
    return typeof value === "string" && value.endsWith("%")
      ? round((Number.parseFloat(value) / 100) * total)
      : undefined;
  };
  const least = amount(spec["minAvailable"], Math.ceil);
  if (least !== undefined) return least;
  const most = amount(spec["maxUnavailable"], Math.ceil);
  return most === undefined ? 0 : Math.max(0, total - most);
}
