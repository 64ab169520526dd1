import { isHttpError, retrying } from "@kindling/http";
import { sleep } from "@kindling/outside";
import type { Credentials } from "../credentials/credential-source.ts";
import { isKubeError, type KubeError, type KubeErrorContext } from "../errors/kube-error.ts";
import { shownPath } from "../errors/quoted.ts";
import { attempt, type Reading } from "./attempt.ts";
import { currentCredentials } from "./current-credentials.ts";
import { isAboutClient } from "./is-about-client.ts";
import { repetition } from "./repetition.ts";
import { throwStopped } from "./stopped.ts";
import type { TransportContext } from "./transport-context.ts";
import type { TransportRequest } from "./transport-request.ts";

/** What is known about a request that is being tried. */
interface Trial {
  readonly path: string;
  attempts: number;
  /** Whether one of its attempts may have been carried out. */
  mayHaveHappened: boolean;
  /** The credentials that were used last. */
  credentials: Credentials;
  /** Whether the server has refused credentials. */
  wasRefused: boolean;
}

/** Sends a request, with repetitions. */
export async function perform<C>(
  context: TransportContext,
  request: TransportRequest,
  reading: Reading<C>,
): Promise<C> {
  const { options, closing } = context;
  const { signal, repeatable } = request;
  const path = shownPath(request.path);
  const trial: Trial = { path, attempts: 0, mayHaveHappened: false, credentials: {}, wasRefused: false };
  const repeating = {
    clock: options.clock,
    random: options.random,
    attempts: options.retry.limit + 1,
    backoff: options.retry,
    signal: [closing, signal],
    judge: (error: unknown) => repetition(error, repeatable),
  };
  try {
    return await retrying(repeating, () => tryOnce(context, request, trial, reading));
  } catch (error) {
    if (isHttpError(error)) return throwStopped(signal, closing, contextOf(request, trial));
    if (!isKubeError(error)) throw error;
    const mayHaveHappened = error.mayHaveHappened || trial.mayHaveHappened;
    throw await explained(context, Object.assign(error, { mayHaveHappened }), trial.credentials);
  }
}

/** Makes one attempt; and a second one at once, if the server refuses the credentials and there are new ones. */
async function tryOnce<C>(
  transport: TransportContext,
  request: TransportRequest,
  trial: Trial,
  reading: Reading<C>,
): Promise<C> {
  const { access, rate } = transport;
  const { signal } = request;
  trial.attempts++;
  const context = contextOf(request, trial);
  if (rate !== undefined) await waitForTurn(transport, rate(), signal);
  const credentials = await currentCredentials(transport, signal, context);
  trial.credentials = credentials;
  try {
    return await attempt(transport, request, credentials, { ...context, mayHaveHappened: false }, reading);
  } catch (error) {
    if (!isKubeError(error)) throw error;
    trial.mayHaveHappened ||= error.mayHaveHappened;
    const isRefused = error.kind === "status" && error.status === 401;
    if (!isRefused || trial.wasRefused) throw error;
    trial.wasRefused = true;
    access.credentials.reject(credentials);
    if ((await currentCredentials(transport, signal, contextOf(request, trial))) === credentials) throw error;
  }
  return await tryOnce(transport, request, trial, reading);
}

/** An abort is noticed by the next step. */
async function waitForTurn(
  { options, closing }: TransportContext,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (waitMs > 0) await sleep(options.clock, waitMs, signal, closing);
}

async function explained(
  { access, options }: TransportContext,
  failure: KubeError,
  credentials: Credentials,
): Promise<KubeError> {
  if (!isAboutClient(failure)) return failure;
  const { explainRefusal } = await import("./explain-refusal.ts");
  return explainRefusal(failure, credentials, access, options.clock.now());
}

function contextOf({ method }: TransportRequest, { path, attempts, mayHaveHappened }: Trial): KubeErrorContext {
  return { method, path, attempts, mayHaveHappened };
}
