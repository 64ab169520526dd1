import type { SeenNamespace, SeenObject } from "./seen-namespace.ts";
import type { Life } from "./lives.ts";
import { NAME } from "./person.ts";

export type FaultKind =
  | "double driver"
  | "no driver"
  | "false failure"
  | "wrong attempts"
  | "other name"
  | "leftover"
  | "stuck";

export interface RoundFault {
  readonly kind: FaultKind;
  readonly text: string;
}

const FAULTY = new Set(["FAILING", "FAILED", "SUBMISSION_FAILED", "UNKNOWN"]);
const SUBMISSION_ID = "sparkoperator.k8s.io/submission-id";

/** What was wrong with a life that has ended. */
export function judged(
  { faults, attempts, drivers }: Life,
  { application, applications, states, made, there }: SeenNamespace,
): RoundFault[] {
  const found: RoundFault[] = [];
  const pods = [...made.values()].filter(({ kind }) => kind === "Pod");
  const ids = pods.map(({ labels }) => labels[SUBMISSION_ID]);
  const hasDouble = new Set(ids).size < ids.length || pods.length > drivers.most;
  if (hasDouble || pods.length < drivers.least)
    found.push({ kind: hasDouble ? "double driver" : "no driver", text: `${pods.length} drivers: ${ids.join(", ")}` });
  const others = pods.filter(({ name }) => name !== `${NAME}-driver`);
  if (others.length > 0) found.push({ kind: "other name", text: others.map(({ name }) => name).join(", ") });
  const undeserved = states.filter((state) => FAULTY.has(state) && !faults.some((fault) => fault === state));
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
  const ownerless = [...there.values()].filter((object) => !isOwned(object));
  if (ownerless.length > 0) {
    const names = ownerless.map(({ kind, name }) => `${kind}/${name}`);
    found.push({ kind: "leftover", text: `the application does not own ${names.join(", ")}` });
  }
  return found;

  /** An object that the application does not own would stay for ever when the application is removed. */
  function isOwned({ owners }: SeenObject): boolean {
    return owners.some((uid) => {
      const owner = made.get(uid);
      return applications.has(uid) || (owner !== undefined && isOwned(owner));
    });
  }
}
