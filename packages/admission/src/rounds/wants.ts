import type { WaitingExecutor } from "../application-demand.ts";
import {
  executorRequest,
  missingOfMinimum,
  startRequest,
  type ApplicationAccount,
  type RoomRequest,
} from "../ledger/application-account.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { requestsOf, type Shape } from "../ledger/shape.ts";
import { amountsOf } from "../ledger/tally.ts";
import { limitOf, type Hopeless } from "./limit-of.ts";

/** What an application wants and has not got yet. Rounds remove what they give. */
export interface Wants {
  readonly account: ApplicationAccount;
  /** The start of a gated driver. */
  start: RoomRequest | undefined;
  /** Executors of its minimum that a started driver does not have yet. */
  readonly minimum: readonly Line[];
  /** Why it cannot have its minimum. Its executors then count as surplus, so that no other application waits behind them. */
  readonly hopeless: (Hopeless & { readonly request: RoomRequest }) | undefined;
  readonly surplus: readonly Line[];
}

/** Executors of one shape, in the order in which the driver asked. */
export interface Line {
  /** The request of one of them. */
  readonly request: RoomRequest;
  readonly executors: readonly LinedUp[];
  /** How many of them have been served. */
  served: number;
}

export interface LinedUp {
  /** `undefined` for an executor that the driver has not asked for yet: room is only kept for it. */
  readonly id: string | undefined;
  /** The place in the order in which the driver asked. */
  readonly position: number;
}

export function wantsOf(ledger: Ledger, account: ApplicationAccount): Wants {
  const { demand } = account;
  if (demand.driver.state === "gated") {
    const [driver, executor] = [ledger.shapeOf(demand.driver.pod), ledger.shapeOf(demand.minimum.pod)];
    const start = startRequest(account, driver, executor, ledger.room.total);
    return { account, start, minimum: [], hopeless: undefined, surplus: [] };
  }
  const missing = missingOfMinimum(account);
  const owed = demand.waiting.slice(0, missing);
  const expected = demand.minimum.reached ? 0 : missing - owed.length;
  const minimum = linesOf(ledger, account, "minimum", owed, expected);
  const hopeless = hopelessOf(ledger, minimum);
  return {
    account,
    start: undefined,
    minimum: hopeless === undefined ? minimum : [],
    hopeless,
    surplus: linesOf(ledger, account, "surplus", demand.waiting.slice(hopeless === undefined ? missing : 0), 0),
  };
}

/** A request for all executors of a line that are not served yet. */
export function restOf({ request, executors, served }: Line): RoomRequest {
  const pods = request.pods.map(({ shape }) => ({ shape, count: executors.length - served }));
  return { ...request, pods, uncounted: pods, amounts: amountsOf(requestsOf(pods)) };
}

export function unserved(lines: readonly Line[]): number {
  return lines.reduce((sum, { executors, served }) => sum + executors.length - served, 0);
}

function hopelessOf(ledger: Ledger, minimum: readonly Line[]): Wants["hopeless"] {
  const [first] = minimum;
  if (first === undefined) return undefined;
  const pods = minimum.flatMap((line) => restOf(line).pods);
  const request = { ...first.request, pods, uncounted: pods, amounts: amountsOf(requestsOf(pods)) };
  const limit = limitOf(ledger, request);
  return limit && { ...limit, request };
}

function linesOf(
  ledger: Ledger,
  account: ApplicationAccount,
  what: "minimum" | "surplus",
  waiting: readonly WaitingExecutor[],
  expected: number,
): readonly Line[] {
  const lines = new Map<Shape, LinedUp[]>();
  const join = (shape: Shape, id: string | undefined, position: number): void => {
    const line = lines.get(shape);
    if (line === undefined) lines.set(shape, [{ id, position }]);
    else line.push({ id, position });
  };
  for (const [position, { id, pod }] of waiting.entries()) join(ledger.shapeOf(pod), id, position);
  for (let more = 0; more < expected; more++)
    join(ledger.shapeOf(account.demand.minimum.pod), undefined, waiting.length + more);
  return [...lines].map(([shape, executors]) => ({
    request: executorRequest(account, what, shape),
    executors,
    served: 0,
  }));
}
