import { createHash } from "node:crypto";
import type { SparkApplication, SparkApplicationSpec } from "@kindling/spark-application";
import { canonicalJson } from "./canonical-json.ts";

/**
 * What a submission id says about the spec that was submitted. Two ids of the same inputs are equal, so that a restarted
 * operator repeats the same submission and finds its own pod.
 */
export interface SubmittedSpec {
  /** `metadata.generation`, its lower 24 bits. */
  readonly generation: number;
  readonly fingerprint: SpecFingerprint;
}

/** Parts of a SHA-256 of a stored spec. */
export interface SpecFingerprint {
  /** 24 bits of all fields that cause a new run when they change, except those below. */
  readonly run: number;
  /** 12 bits of the executors' fields that reach running applications, with the gate PartialRestart. */
  readonly executors: number;
}

/**
 * The id of the next submission: a UUID of version 8 (RFC 9562). 24 bits are the generation, 36 are the spec's
 * fingerprint, and 62 depend on these, on the object, and on the previous submission.
 */
export function nextSubmissionId({ metadata, spec, status }: SparkApplication): string {
  const { run, executors } = fingerprintOf(spec);
  const generation = metadata.generation % 2 ** 24;
  const seed = createHash("sha256")
    .update(JSON.stringify([metadata.uid, status.submissionID ?? "", generation, run, executors]))
    .digest();
  const bits = (BigInt(generation) << 24n) | BigInt(run);
  const rest = seed.readBigUInt64BE() & ((1n << 62n) - 1n);
  const value = (bits << 80n) | (8n << 76n) | (BigInt(executors) << 64n) | (2n << 62n) | rest;
  return uuidText(value);
}

/**
 * What the id of a submission says about its spec.
 *
 * @returns undefined for other ids: stock's are random, and say nothing
 */
export function submittedSpec(submissionId: string): SubmittedSpec | undefined {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(submissionId)) return undefined;
  const digits = submissionId.replaceAll("-", "");
  return {
    generation: Number.parseInt(digits.slice(0, 6), 16),
    fingerprint: {
      run: Number.parseInt(digits.slice(6, 12), 16),
      executors: Number.parseInt(digits.slice(13, 16), 16),
    },
  };
}

/**
 * Whether a spec differs from the submitted one: its generation and its fingerprint both differ. A change of `suspend` or
 * `timeToLiveSeconds` does not change the fingerprint, a new default of the CRD does not change the generation.
 *
 * @param partialRestart whether changes of the executors' scheduling alone begin no new run (stock's feature gate)
 */
export function isSpecChanged(
  { metadata, spec }: SparkApplication,
  submitted: SubmittedSpec,
  partialRestart: boolean,
): boolean {
  if (metadata.generation % 2 ** 24 === submitted.generation) return false;
  const { run, executors } = fingerprintOf(spec);
  return run !== submitted.fingerprint.run || (!partialRestart && executors !== submitted.fingerprint.executors);
}

/** Takes the spec as it is stored, without the operator's defaults. */
export function fingerprintOf(spec: SparkApplicationSpec): SpecFingerprint {
  const { suspend: _suspend, timeToLiveSeconds: _timeToLive, executor, ...rest } = spec;
  const { priorityClassName, nodeSelector, tolerations, affinity, schedulerName, ...run } = executor;
  return {
    run: hashOf({ ...rest, executor: run }).readUIntBE(0, 3),
    executors: hashOf({ priorityClassName, nodeSelector, tolerations, affinity, schedulerName }).readUInt16BE() >> 4,
  };
}

function hashOf(value: unknown): Buffer {
  return createHash("sha256").update(canonicalJson(value)).digest();
}

function uuidText(value: bigint): string {
  const digits = value.toString(16).padStart(32, "0");
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => digits.slice(from, to))
    .join("-");
}
