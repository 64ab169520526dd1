import type { SeenNamespace } from "./bystander.ts";
import type { Life } from "./lives.ts";
import { NAME } from "./person.ts";

export type FaultKind = "double driver" | "false failure" | "wrong attempts" | "other name" | "leftover" | "stuck";

export interface RoundFault {
  readonly kind: FaultKind;
  readonly text: string;
}

const FAULTY = ["FAILING", "FAILED", "SUBMISSION_FAILED", "UNKNOWN"];
const SUBMISSION_ID = "sparkoperator.k8s.io/submission-id";

/** What is wrong with a life that has come to its end. */
export function judged({ faults, attempts, drivers }: Life, { application, states, made }: SeenNamespace): RoundFault[] {
  const found: RoundFault[] = [];
  const pods = [...made.values()].filter(({ kind }) => kind === "Pod");
  const ids = pods.map(({ labels }) => labels[SUBMISSION_ID]);
  if (new Set(ids).size < ids.length) found.push({ kind: "double driver", text: ids.join(", ") });
  if (pods.length < drivers.least || pods.length > drivers.most)
    found.push({ kind: "double driver", text: `${pods.length} drivers: ${ids.join(", ")}` });
  const others = pods.filter(({ name }) => name !== `${NAME}-driver`);
  if (others.length > 0) found.push({ kind: "other name", text: others.map(({ name }) => name).join(", ") });
  const undeserved = states.filter((state) => FAULTY.includes(state) && !faults.some((fault) => fault === state));
  if (undeserved.length > 0) {
    const { errorMessage = "" } = application?.status?.applicationState ?? {};
    found.push({ kind: "false failure", text: `${states.join(", ")}; ${errorMessage}` });
  }
  const { submissionAttempts = 0, executionAttempts = 0 } = application?.status ?? {};
  if (
    attempts !== undefined &&
    (submissionAttempts !== attempts.submission || executionAttempts !== attempts.execution)
  )
    found.push({ kind: "wrong attempts", text: `${submissionAttempts} submissions, ${executionAttempts} runs` });
  return found;
}
