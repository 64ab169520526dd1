import type { RequestAttempt } from "@kindling/kube";
import { Counter, type Registry } from "prom-client";

/** @see OperatorMetrics.requestSent */
export type CountRequest = (request: RequestAttempt) => void;

/** The label value that client-go uses if there is no answer (k8s.io/client-go v0.32.5, rest/request.go). */
const NO_ANSWER = "<error>";

/** Requests to the API server, with the metric name of controller-runtime (v0.20.4, pkg/metrics/client_go_adapter.go). */
export function requestMetrics(registry: Registry): CountRequest {
  const requests = new Counter({
    ...{ name: "rest_client_requests_total", help: "Requests to the API server, by the status of their answers." },
    ...{ labelNames: ["code", "method", "host"], registers: [registry] },
  });
  return ({ method, host, status }) =>
    requests.inc({ code: status === undefined ? NO_ANSWER : `${status}`, method, host });
}
