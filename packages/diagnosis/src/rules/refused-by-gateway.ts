import type { Said } from "./role.ts";

// The words of the gateway (packages/gateway, check-executor.ts and driver-rights.ts), and of the API server about it.
const ADVICE: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /User "[^"]*" cannot /,
    "that is the gateway's own account, and a driver of the gateway needs no role: whoever runs the gateway has to grant it " +
      "what its README lists under Rights",
  ],
  [
    /at most \d+ executor pods are allowed/,
    "ask for fewer executors (spark.executor.instances, spark.dynamicAllocation.maxExecutors), or have the gateway's " +
      "executors.perApplication raised",
  ],
  [
    /and the driver's pod has not/,
    "leave it out of what executors are given (pod template, spark.kubernetes.executor.*), or give it to the driver's pod as well",
  ],
  [
    /\(executors\.images\)/,
    "set spark.kubernetes.executor.container.image, or the pod template, to an image of the gateway's executors.images, or have " +
      "that list extended",
  ],
  [
    /does not serve namespace/,
    "submit to a namespace that the gateway serves, or have this one added to its cluster.namespaces",
  ],
];

/** A 403 of the scheduler's gateway for a driver: it does not depend on a role of the driver's account. */
export function refusedByGateway(message: string): Said {
  return {
    cause: "Forbidden",
    word: "Forbidden",
    summary: `the scheduler's gateway refuses what the driver asks for: ${message}`,
    advice: ADVICE.find(([words]) => words.test(message))?.[1],
  };
}
