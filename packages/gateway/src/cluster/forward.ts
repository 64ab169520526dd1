import { ApiError } from "@kindling/api-server";
import { isKubeError, type KubeError } from "@kindling/kube";
import { wordsOf } from "./refusal.ts";

/**
 * Makes a call to the API server for a driver that waits for the answer.
 *
 * @throws ApiError what the API server answers, or 503 if it cannot be asked
 */
export async function forward<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw isKubeError(error) ? forwarded(error) : error;
  }
}

function forwarded(error: KubeError): ApiError {
  // If the gateway itself lacks rights or credentials, the driver can only try again.
  if (error.kind !== "status" || error.status === 401) {
    const words = error.kind === "status" ? "it does not accept the gateway's credentials" : "it cannot be reached";
    return new ApiError(503, "ServiceUnavailable", `the gateway cannot ask the API server: ${words}`, {
      retryAfterSeconds: 1,
    });
  }
  const { retryAfterSeconds } = error;
  const details = { ...error.details, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  return new ApiError(error.status, error.reason, wordsOf(error), withoutUndefined(details));
}

function withoutUndefined(details: object): object {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}
