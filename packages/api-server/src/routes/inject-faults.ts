import { ApiError } from "../status/status.ts";
import type { Exchange } from "./exchange.ts";
import { respondStatus } from "./respond.ts";
import type { Service } from "./service.ts";

const REASONS: Readonly<Record<number, string>> = {
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** Lets the fault switches have their way with a request; false if it is answered, or cut off. */
export async function applyFaults(
  service: Service,
  exchange: Exchange,
  verb: string,
  resource: string,
): Promise<boolean> {
  const { method, path, request, response } = exchange;
  for (const fault of service.faults.take({ method, path, verb, resource })) {
    switch (fault.kind) {
      case "latency":
        await new Promise<void>((resolve) => void service.api.clock.after(fault.milliseconds, resolve));
        break;
      case "reset":
        service.resetConnection(request.socket.remotePort);
        return false;
      case "status": {
        const { code, retryAfterSeconds, message } = fault;
        const text = message ?? `injected fault: ${code}`;
        const details = retryAfterSeconds === undefined ? undefined : { retryAfterSeconds };
        respondStatus(exchange, new ApiError(code, REASONS[code], text, details).status);
        return false;
      }
    }
    if (response.destroyed) return false;
  }
  return true;
}
