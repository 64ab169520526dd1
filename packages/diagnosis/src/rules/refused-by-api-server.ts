import type { RefusedRequest } from "../log/refused-request.ts";
import { knownRefusals, TEMPLATE } from "./known-refusals.ts";
import type { Said } from "./role.ts";

/** From refused-request.ts, if there was no answer. */
const NO_ANSWER = "no answer: ";

/** The API server's answer about an executor or one of its objects: the driver asks again and again, and gets no executor. */
export function refusedByApiServer({ resource, message, times, since }: RefusedRequest): Said {
  const known = knownRefusals()
    .map((refusal) => ({ ...refusal, found: refusal.words.exec(message) }))
    .find(({ found }) => found !== null);
  const groups = (known?.found ?? []).slice(1).map((group: string | undefined) => group ?? "");
  const what = resource === "pods" ? "executors" : `${resource} of executors`;
  return {
    cause: "ExecutorsRefused",
    word: known?.word ?? "refused",
    summary: message.startsWith(NO_ANSWER)
      ? `the API server does not answer the driver's requests for ${what}: ${message.slice(NO_ANSWER.length)}`
      : `the API server refuses the driver's ${what}: ${message}`,
    advice: known?.advice(...groups) ?? `correct what it names: spark.kubernetes.executor.*, or ${TEMPLATE}`,
    times,
    since,
  };
}

/** Whether these are words of the API server itself, and not of the scheduler's gateway in front of it. */
export function isOfApiServer(message: string): boolean {
  return knownRefusals().some(({ words }) => words.test(message));
}
