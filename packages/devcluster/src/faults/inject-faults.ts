import { ApiError, type Intercept, respondStatus } from "@kindling/api-server";
import { type Clock, sleep } from "@kindling/outside";
import type { ApiFaults } from "./api-faults.ts";

const REASONS: Readonly<Record<number, string>> = {
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/**
 * Applies the fault switches to each request.
 *
 * @param reset cuts a client's connection, identified by its port
 */
export function injectFaults(
  faults: ApiFaults,
  clock: Clock,
  reset: (remotePort: number | undefined) => void,
): Intercept {
  return async (exchange, target, verb) => {
    const { method, path, request, response } = exchange;
    const resource = target.kind === "resource" ? target.plural : "";
    for (const fault of faults.take({ method, path, verb, resource })) {
      switch (fault.kind) {
        case "latency":
          await sleep(clock, fault.milliseconds);
          break;
        case "reset":
          reset(request.socket.remotePort);
          return true;
        case "status": {
          const { code, retryAfterSeconds, message } = fault;
          const text = message ?? `injected fault: ${code}`;
          const details = retryAfterSeconds === undefined ? undefined : { retryAfterSeconds };
          respondStatus(exchange, new ApiError(code, REASONS[code], text, details).status);
          return true;
        }
      }
      if (response.destroyed) return true;
    }
    return false;
  };
}
