import type { Intercept } from "@kindling/api-server";
import type { Metrics } from "./metrics.ts";

const RESOURCES: ReadonlySet<string> = new Set([
  ...["pods", "configmaps", "persistentvolumeclaims", "services"],
  ...["statefulsets", "deployments"],
]);

/** Measures each answered request. Watches are measured only if they are refused, because their duration says nothing. */
export function observeRequests({ requests }: Pick<Metrics, "requests">): Intercept {
  return (exchange, target, verb) => {
    const resource = target.kind === "resource" && RESOURCES.has(target.plural) ? target.plural : "other";
    const end = requests.startTimer({ verb: resource === "other" ? "other" : verb, resource });
    exchange.response.on("finish", () => {
      const status = exchange.response.statusCode;
      if (verb !== "watch" || status !== 200) end({ status });
    });
    return Promise.resolve(false);
  };
}
