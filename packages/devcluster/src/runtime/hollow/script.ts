import type { Container, Pod } from "../../objects/pod.ts";

/** What a hollow container does from start to end. */
export interface ContainerScript {
  /** Milliseconds until the image is there; 0 means it was there already. */
  readonly pullMilliseconds: number;
  /** Fails the pull with this message. */
  readonly pullError: string | undefined;
  /** Milliseconds from the request to the start of the container. */
  readonly startMilliseconds: number;
  /** Fails the start with this message. */
  readonly startError: string | undefined;
  /** Milliseconds from the start until the container is ready. */
  readonly readyMilliseconds: number;
  /** Milliseconds that the container runs. Undefined: until it is told to end. */
  readonly runMilliseconds: number | undefined;
  readonly exitCode: number;
  /** The reason of its end, such as `OOMKilled`. */
  readonly reason: string | undefined;
  /** Milliseconds that the container takes to end when it is told to. */
  readonly stopMilliseconds: number;
  /** Lines that it logs when it starts. */
  readonly log: readonly string[];
}

/** Decides what a container does; {@link DEFAULT_SCRIPT} has the default of each member. */
export type Script = (pod: Pod, container: Container, attempt: number) => Partial<ContainerScript>;

/** Starts at once, is ready at once, and runs until it is told to end. */
export const DEFAULT_SCRIPT: ContainerScript = {
  pullMilliseconds: 0,
  pullError: undefined,
  startMilliseconds: 0,
  startError: undefined,
  readyMilliseconds: 0,
  runMilliseconds: undefined,
  exitCode: 0,
  reason: undefined,
  stopMilliseconds: 0,
  log: [],
};

/** Annotations of a pod that decide what its containers do, in addition to or instead of a function. */
const HOLLOW_ANNOTATION_PREFIX = "hollow.devcluster.kindling/";

/** A pod of any program's, as far as its script is looked for. */
interface AnnotatedPod {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m)?$/;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/**
 * Reads the script in a pod's annotations: `run-for`, `start-after`, `ready-after`, `pull-for`, `stop-for` (times such as
 * `200ms`, `5s`, `1m`), `exit-code`, `reason`, `pull-error`, `start-error` and `log`. A name with a container's name and a
 * dot in front (`main.exit-code`) is only for that container. Invalid values are ignored.
 */
export function annotationScript(pod: AnnotatedPod, container: { readonly name: string }): Partial<ContainerScript> {
  const annotations = pod.metadata.annotations ?? {};
  const text = (name: string): string | undefined =>
    annotations[`${HOLLOW_ANNOTATION_PREFIX}${container.name}.${name}`] ??
    annotations[`${HOLLOW_ANNOTATION_PREFIX}${name}`];
  const time = (name: string): number | undefined => {
    const match = DURATION.exec(text(name) ?? "");
    return match === null ? undefined : Number(match[1]) * (UNITS[match[2] ?? "ms"] ?? 1);
  };
  const exitCode = Number(text("exit-code") ?? NaN);
  return defined({
    pullMilliseconds: time("pull-for"),
    pullError: text("pull-error"),
    startMilliseconds: time("start-after"),
    startError: text("start-error"),
    readyMilliseconds: time("ready-after"),
    runMilliseconds: time("run-for"),
    exitCode: Number.isInteger(exitCode) ? exitCode : undefined,
    reason: text("reason"),
    stopMilliseconds: time("stop-for"),
    log: text("log")?.split("\n"),
  });
}

/** An object without the members that are undefined. */
export function defined<T extends object>(object: { [K in keyof T]: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>;
}
